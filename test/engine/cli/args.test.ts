// How a command line is read.
import { describe, expect, it } from 'vitest'
import { nearest, readArguments } from '../../../main/cli/args.ts'
import { UsageError, verbs } from '../../../main/engine/doors/command/index.ts'

const tfActions = verbs.flatMap(({ name }) => (name.startsWith('tf ') ? [name.slice(3)] : [])).join(', ')
const read = (line: string): ReturnType<typeof readArguments> => readArguments(line.split(' '))
const problem = (line: string): string => {
  try {
    read(line)
  } catch (error) {
    if (error instanceof UsageError) return `${error.key} ${Object.values(error.facts).join(' ')}`
  }
  return 'understood'
}

const flags = (line: string): Readonly<Record<string, unknown>> => read(line).flags

describe('arguments', () => {
  it('take the framework before the verb and the fuzzy switch behind it', () => {
    const {
      verb,
      framework,
      paths,
      flags: given,
    } = read('-f mindspore compare -i ./compare.json -o ./output -s -f')
    expect([verb?.name, framework, paths]).toEqual(['compare', 'mindspore', []])
    expect(given).toEqual({ input: './compare.json', output: './output', stack: true, fuzzy: true })
  })

  it('let mappings stand without a file where msprobe does', () => {
    expect(flags('compare -i a.json -am -cm c.yaml -lm')).toMatchObject({
      api: '',
      cell: 'c.yaml',
      layer: '',
    })
    expect(flags('compare -i a.json -o')).toMatchObject({ output: '' })
    expect(problem('compare -i a.json -dm')).toBe('cli.usage.value -dm')
  })

  it.each([
    '--input_path a.json --output_path out --stack_mode --compare_only --fuzzy_match --layer_mapping l.yaml',
    '--input-path a.json --output-path out --stack-mode --compare-only --fuzzy-match --layer-mapping l.yaml',
    '--input_path=a.json --output_path=out --stack_mode --compare_only --fuzzy_match --layer_mapping=l.yaml',
    '--input a.json --out out --stack --compare_o --fuzzy --layer l.yaml',
    '-ia.json -oout -s -c -f -lm l.yaml',
  ])('understand %s', words => {
    expect(flags(`compare ${words}`)).toEqual({
      input: 'a.json',
      output: 'out',
      stack: true,
      compareOnly: true,
      fuzzy: true,
      layer: 'l.yaml',
    })
  })

  it('take the options of everywhere before and behind the verb', () => {
    const { verb, paths, everywhere } = read('--lang zh --quiet compare a b --json')
    expect([verb?.name, paths]).toEqual(['compare', ['a', 'b']])
    expect(everywhere).toEqual({ lang: 'zh', quiet: true, json: true })
  })

  it('take both sides by flags, as msprobe-26 does, and its name of graph', () => {
    expect(read('compare -tp a -gp b').paths).toEqual(['a', 'b'])
    const { verb, paths } = read('graph_visualize -tp a -o out')
    expect([verb?.name, paths]).toEqual(['graph', ['a']])
  })

  it('take what stands behind -- as paths', () => {
    expect(read('compare -- -odd --names').paths).toEqual(['-odd', '--names'])
  })

  it('find the action of a verb that has several', () => {
    expect(read('map check m.yaml').verb?.name).toBe('map check')
    expect(read('map --kind cell propose a b').verb?.name).toBe('map propose')
    expect(read('map --help').named.map(verb => verb.name)).toEqual(['map check', 'map propose'])
  })

  it('find the action of a head behind its folder, and the head alone', () => {
    const names = (line: string): unknown => {
      const { verb, paths } = read(line)
      return [verb?.name, ...paths]
    }
    expect(names('tf ./data')).toEqual(['tf', './data'])
    expect(names('tf ./data run vim')).toEqual(['tf run', './data', 'vim'])
    expect(names('tf run run run')).toEqual(['tf run', 'run', 'run'])
    expect(names('tf --lang zh run --json run vim')).toEqual(['tf run', 'run', 'vim'])
    expect(names('tf ./data run -- -odd')).toEqual(['tf run', './data', '-odd'])
    expect(read('tf run --help').verb?.name).toBe('tf run')
    expect(read('tf --help').verb?.name).toBe('tf')
  })

  it('read lists and numbers', () => {
    expect(flags('compare a b --format csv,xlsx,csv')).toMatchObject({ format: ['csv', 'xlsx'] })
    expect(flags('map propose a b --kind api --score 0.5')).toMatchObject({ score: 0.5 })
  })

  it('add up what is typed several times, and read shares and ranges', () => {
    expect(flags('compare a b --format csv --format xlsx,csv')).toMatchObject({ format: ['csv', 'xlsx'] })
    expect(flags('compare a b --rank 0,2-5 --rank 7 --shard 3/4')).toMatchObject({
      ranks: [
        { from: 0, to: 0 },
        { from: 2, to: 5 },
        { from: 7, to: 7 },
      ],
      shard: { index: 3, of: 4 },
    })
  })

  // Words that every object knows are unknown verbs and options like any others.
  it.each(['toString', '__proto__', 'constructor', 'hasOwnProperty'])('know no %s', word => {
    expect(problem(word)).toMatch(/^cli\.usage\.command /)
    expect(problem(`map ${word}`)).toMatch(/^cli\.usage\.action /)
    expect(problem(`compare a b --${word}`)).toMatch(/^cli\.usage\.option /)
    expect(problem(`compare a b --format ${word}`)).toMatch(/^cli\.usage\.choice /)
  })

  it.each([
    ['compare --formt csv', 'cli.usage.option.near --formt --format'],
    ['compare --fail_no error', 'cli.usage.option.near --fail_no --fail-on'],
    ['compare --nonsense', 'cli.usage.option --nonsense'],
    ['compare -s -s', 'cli.usage.twice -s'],
    ['compare -am a.yaml -am b.yaml', 'cli.usage.twice -am'],
    ['compare --stack_mode=yes', 'cli.usage.noValue --stack_mode=yes'],
    ['compar a b', 'cli.usage.command.near compar compare'],
    [
      'retrain',
      'cli.usage.command retrain compare, graph, advise, show, diff, merge_result, merge, query, api_precision_compare, config_check, config, watch, run_ut, multi_run_ut, acc_check, multi_acc_check, map, parse, tf, tf_dump, npu_dump, npu_overflow, code_mapping, recompute, run_overflow_check, grad_compare, monitor, training_log, anomaly_analyse, data2db, trend, overflow_check, noise',
    ],
    ['graph -dm x.yaml', 'cli.usage.option -dm'],
    ['-f tensorflow compare a b', 'cli.usage.framework mindspore, pytorch tensorflow'],
    ['compare a b --rules msprobe', 'cli.usage.choice --rules plumbline, msprobe-1.2.2, msprobe-26 msprobe'],
    ['compare a b --format csv,xls', 'cli.usage.choice --format xlsx, csv, arrow, parquet, dataset xls'],
    ['compare a b --rank 3-1', 'cli.usage.numbers --rank 3-1'],
    ['compare a b --rank 1,', 'cli.usage.numbers --rank '],
    ['compare a b --step -1', 'cli.usage.numbers --step -1'],
    ['compare a b --shard 4/4', 'cli.usage.share --shard 4/4'],
    ['compare a b --shard 1', 'cli.usage.share --shard 1'],
    ['map propose a b --kind api --score 2', 'cli.usage.choice --score 0 … 1 2'],
    ['compare', 'cli.usage.paths compare 0 '],
    ['map propose a b c', 'cli.usage.mapPropose map propose 3 a'],
    ['map propose a --kind api', 'cli.usage.mapPropose map propose 1 a'],
    ['compare a -i b.json', 'cli.usage.both '],
    ['merge_result a', 'cli.usage.extra merge_result 1 a'],
    ['config_check -c a', 'cli.usage.several --compare 2 1'],
    ['config_check -c a b c', 'cli.usage.extra config_check 1 c'],
    ['merge_result -i a -o b', 'cli.usage.needs merge_result -config'],
    ['map', 'cli.usage.action map check, propose'],
    ['map chek a.yaml', 'cli.usage.command.near map chek map check'],
    ['tf', 'cli.usage.tf tf 0 '],
    ['tf a b', `cli.usage.action tf ${tfActions}`],
    ['tf a rum b', 'cli.usage.command.near tf rum tf run'],
    ['tf a run', 'cli.usage.tfName tf run 1 a'],
    ['map check a.yaml --score 1', 'cli.usage.option --score'],
  ])('%s is refused', (line, why) => expect(problem(line)).toBe(why))

  it('offer a near word only when it is near', () => {
    expect(nearest('compre', ['compare', 'graph'])).toBe('compare')
    expect(nearest('xyz', ['compare', 'graph'])).toBe('')
  })
})
