// config_check -d: hyper-parameters of scripts into a package.
import { writePackage } from '../../../config/index.ts'
import { absolute, baseOf, dirOf, openOutput } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import type { Tools } from '../tools.ts'
import type { Given } from '../verb.ts'
import type { ConfigFlags } from './index.ts'

const byDefault = './config_check_pack.zip'

export async function packScripts(flags: Given<ConfigFlags>, tools: Tools): Promise<readonly string[]> {
  const path = absolute(flags.output ?? byDefault)
  if (!path.endsWith('.zip')) throw new Refusal(problem('config-no-zip', path))
  const output = openOutput(dirOf(path), [], true)
  try {
    const order = {
      scripts: flags.dump ?? [],
      rules: flags.rules ?? 'plumbline',
      environment: flags.env ? tools.environment : null,
      tell: tools.tell,
    }
    await writePackage(tools.files, order, output.create(baseOf(path)))
    const paths = output.commit()
    tools.written(paths)
    return paths
  } finally {
    output.abandon()
  }
}
