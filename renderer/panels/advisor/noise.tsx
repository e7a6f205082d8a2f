// What thresholds rest on: this pair alone, or noise that was measured between healthy runs, kind by kind of calls.
import type { JSX } from 'react'
import type { Hint, NoiseShown } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { run } from '../../state/commands.ts'
import { count } from '../../state/format.ts'
import { valueOf } from '../../state/query.ts'
import { isNoiseGiven } from '../../state/noise.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Hints } from './headline.tsx'

const mostShown = 40
const short = (value: number): string => String(Number(value.toPrecision(2)))

export function NoiseCard({ hints }: { readonly hints: readonly Hint[] }): JSX.Element {
  const say = useSay()
  const given = useWorkbench(isNoiseGiven)
  const answer = useUnitQuery({
    steps: ['findings'],
    key: given ? ['noise'] : null,
    load: (here, signal) => engine.noise(here, signal),
    keep: true,
  })
  const profile = given ? valueOf(answer) : null
  return (
    <section className="card" data-testid="noise" data-by={profile?.by ?? ''}>
      <h3 className="card-kind">{say('advisor.noise')}</h3>
      {profile ? (
        <p className="card-text">{say(profile.by === 'twins' ? 'noise.of-twins' : 'noise.of-profile')}</p>
      ) : (
        <p className="card-text dim">{say('noise.none')}</p>
      )}
      <Hints hints={hints} />
      {profile ? <Profile profile={profile} /> : null}
      <div className="row noise-commands">
        <Button small icon="folder" onPress={() => run('noise-twins')}>
          {say('noise.add')}
        </Button>
        <Button small onPress={() => run('noise-profile')}>
          {say('noise.load')}
        </Button>
        {profile ? (
          <Button small icon="download" onPress={() => run('noise-save')}>
            {say('noise.save')}
          </Button>
        ) : null}
        {given ? (
          <Button small onPress={() => run('noise-remove')}>
            {say('noise.remove')}
          </Button>
        ) : null}
      </div>
    </section>
  )
}

function Profile({ profile }: { readonly profile: NoiseShown }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const classes = profile.classes.filter(({ op }) => op !== '')
  const shown = classes.slice(0, mostShown)
  return (
    <Fold id="advisor-noise" title={say('noise.title')}>
      <p className="small dim">
        {say('noise.calls', { alike: count(language, profile.alike), calls: count(language, profile.calls) })}
        {' · '}
        {say('noise.margin', { margin: short(profile.margin) })}
      </p>
      <div className="noise-table" tabIndex={0}>
        <table className="small">
          <thead>
            <tr>
              <th>{say('noise.col.op')}</th>
              <th className="num">{say('noise.col.made')}</th>
              <th className="num">{say('noise.col.gain')}</th>
              <th className="num">{say('noise.col.length')}</th>
              <th className="num">{say('noise.col.calls')}</th>
              <th>{say('noise.col.dtype')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ op, backward, dtype, length, calls, made, gain }) => (
              <tr key={`${op}${backward}${dtype}${length}`}>
                <td className="mono" title={backward ? `${op} ${say('noise.backward')}` : op}>
                  {backward ? '◂ ' : ''}
                  {op}
                </td>
                <td className="num">
                  {short(made.half)} · {short(made.most)}
                </td>
                <td className="num">{gain ? `× ${short(gain.half)}` : '–'}</td>
                <td className="num">{length > 1 ? length : ''}</td>
                <td className="num">{calls}</td>
                <td className="dim">{dtype}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < classes.length ? (
        <p className="small dim">{say('noise.shown', { shown: shown.length, of: classes.length })}</p>
      ) : null}
    </Fold>
  )
}
