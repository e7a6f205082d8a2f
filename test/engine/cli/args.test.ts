// How a command line is read.
import { describe, expect, it } from 'vitest'
import { nearest, readArguments, UsageError } from '../../../main/cli/args.ts'

const read = (line: string): ReturnType<typeof readArguments> => readArguments(line.split(' '))
const problem = (line: string): string => {
  try {
    read(line)
  } catch (error) {
    if (error instanceof UsageError) return `${error.key} ${Object.values(error.facts).join(' ')}`
  }
  return 'understood'
}

describe('arguments', () => {
  it('take the framework before the command and the fuzzy switch behind it', () => {
    expect(read('-f mindspore compare -i ./compare.json -o ./output -s -f')).toEqual({
      command: 'compare', framework: 'mindspore', paths: [], options: { input: './compare.json', output: './output', stack: '', fuzzy: '' },
    })
  })

  it('let mappings stand without a file where msprobe does', () => {
    expect(read('compare -i a.json -am -cm c.yaml -lm').options).toMatchObject({ api: '', cell: 'c.yaml', layer: '' })
    expect(read('compare -i a.json -o').options).toMatchObject({ output: '' })
    expect(problem('compare -i a.json -dm')).toBe('cli.usage.value -dm')
  })

  it.each([
    '--input_path a.json --output_path out --stack_mode --compare_only --fuzzy_match --layer_mapping l.yaml',
    '--input-path a.json --output-path out --stack-mode --compare-only --fuzzy-match --layer-mapping l.yaml',
    '--input_path=a.json --output_path=out --stack_mode --compare_only --fuzzy_match --layer_mapping=l.yaml',
    '--input a.json --out out --stack --compare_o --fuzzy --layer l.yaml',
    '-ia.json -oout -s -c -f -lm l.yaml',
  ])('understand %s', words => {
    expect(read(`compare ${words}`).options).toEqual({ input: 'a.json', output: 'out', stack: '', compareOnly: '', fuzzy: '', layer: 'l.yaml' })
  })

  it('take the options of everywhere before and behind the command', () => {
    expect(read('--lang zh --quiet compare a b --json')).toMatchObject({ command: 'compare', paths: ['a', 'b'], options: { lang: 'zh', quiet: '', json: '' } })
  })

  it('take what stands behind -- as paths', () => {
    expect(read('compare -- -odd --names')).toMatchObject({ paths: ['-odd', '--names'] })
  })

  it.each([
    ['compare --formt csv', 'cli.usage.option.near --formt --format'],
    ['compare --nonsense', 'cli.usage.option --nonsense'],
    ['compare -s -s', 'cli.usage.twice -s'],
    ['compare -am a.yaml -am b.yaml', 'cli.usage.twice -am'],
    ['compare --stack_mode=yes', 'cli.usage.noValue --stack_mode=yes'],
    ['compar a b', 'cli.usage.command.near compar compare'],
    ['run_ut', 'cli.usage.command run_ut compare, graph, advise, merge_result, map'],
    ['graph -dm x.yaml', 'cli.usage.option -dm'],
  ])('%s is refused', (line, why) => expect(problem(line)).toBe(why))

  it('offer a near word only when it is near', () => {
    expect(nearest('compre', ['compare', 'graph'])).toBe('compare')
    expect(nearest('xyz', ['compare', 'graph'])).toBe('')
  })
})
