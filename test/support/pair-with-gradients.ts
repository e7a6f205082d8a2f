// A pair of dumps with two steps, and gradients of both runs over them.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export const leaf = (max: string): string =>
  `{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2, 2], "Max": ${max}, "Min": -1.0, "Mean": 0.5, "Norm": 2.0}`
export const callsOf = (max: string): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  'Module.network.conv1.Conv2d.forward.0': { input_args: `[${leaf('1.0')}]`, output: `[${leaf(max)}]` },
  'Module.network.fc.Linear.forward.0': { input_args: `[${leaf('1.0')}]`, output: `[${leaf(max)}]` },
  'Module.network.fc.Linear.backward.0': { input: `[${leaf('1.0')}]`, output: `[${leaf(max)}]` },
  'Module.network.fc.Linear.parameters_grad': { weight: `[${leaf(max)}]` },
})
export function pairWithGradients(): {
  readonly root: string
  readonly dumps: readonly string[]
  readonly probes: readonly string[]
} {
  const root = mkdtempSync(path.join(tmpdir(), 'plumbline-beside-'))
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  for (const [side, max] of [
    ['debug', '3.0'],
    ['bench', '1.0'],
  ] as const)
    for (const step of [0, 1]) {
      const data = Object.entries(callsOf(max)).map(
        ([name, parts]) =>
          `"${name}": {${Object.entries(parts)
            .map(([part, text]) => `"${part}": ${text}`)
            .join(', ')}}`,
      )
      put(
        `${side}/step${step}/rank0/dump.json`,
        `{"task": "statistics", "level": "mix", "framework": "pytorch", "dump_data_dir": null, "data": {${data.join(', ')}}}`,
      )
      put(
        `${side}_grad/rank0/grad_summary_${step}.csv`,
        `param_name,max,min,norm,shape\nnetwork.fc.weight,${max},-1.0,${step === 1 && side === 'debug' ? '9.0' : '2.0'},"[2, 2]"\n`,
      )
    }
  const at = (...names: readonly string[]): readonly string[] => names.map(name => path.join(root, name))
  return { root, dumps: at('debug', 'bench'), probes: at('debug_grad', 'bench_grad') }
}
