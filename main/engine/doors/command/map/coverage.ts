// How much of both dumps a mapping reaches, as a line.
import type { MappingCoverage } from '../../../model/index.ts'
import type { Page } from '../tools.ts'

export const coverageLine = (page: Page, { debug, bench }: MappingCoverage): string =>
  page.say('cli.map.coverage', {
    debug: debug.matched,
    ofDebug: debug.all,
    bench: bench.matched,
    ofBench: bench.all,
    aloneDebug: debug.alone,
    aloneBench: bench.alone,
  })
