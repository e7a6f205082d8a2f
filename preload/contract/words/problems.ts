// One sentence per problem code: what, where, what to do.
import type { ProblemCode } from '../../../main/engine/problem.ts'

export const en = {
  'problem.not-found': '{path} does not exist. Check the path, or drop the folder again.',
} as const satisfies Partial<Record<`problem.${ProblemCode}`, string>>
export const zh: Record<keyof typeof en, string> = {
  'problem.not-found': '{path} 不存在。请检查路径，或重新拖入该文件夹。',
}
