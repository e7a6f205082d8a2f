// Operations with generators of random numbers: only those of their calls that draw none are computed.
import type { Given } from './arguments.ts'
import { map } from './array.ts'
import { exact, incoming, type Operation, operation, type Outcome } from './operation.ts'
import { Unsupported } from './unsupported.ts'

const draws = (given: Given): boolean => given.flag('training', true) && given.number('p', 0.5) > 0

/** Nothing is dropped, or all of it. */
function kept(given: Given): readonly Outcome[] {
  return [exact(given.tensor('input'))]
}

const dropping = (names: string): Operation =>
  operation(names, 'input p training inplace', kept, {
    random: given => draws(given) && given.number('p', 0.5) < 1,
    passes: true,
    backward(call) {
      const grad = incoming(call)
      return [grad && exact(map(grad, g => g))]
    },
  })

const always = (names: string): Operation =>
  operation(
    names,
    '*anything',
    () => {
      throw new Unsupported('random')
    },
    { random: () => true },
  )

export const randomOperations: readonly Operation[] = [
  dropping('dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout feature_dropout'),
  always(
    'bernoulli multinomial normal normal_ uniform uniform_ rand randn randint randperm rand_like randn_like randint_like ' +
      'random_ exponential_ geometric_ cauchy_ log_normal_ poisson binomial gumbel_softmax fractional_max_pool2d ' +
      'fractional_max_pool3d trunc_normal_ npu_dropout _npu_dropout dropout_with_byte_mask native_dropout',
  ),
]
