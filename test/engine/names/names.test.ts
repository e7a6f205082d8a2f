// What names of msprobe say.
import { describe, expect, it } from 'vitest'
import { msprobeNames as names } from '../../../main/engine/names/msprobe.ts'
import { Direction, State } from '../../../main/engine/model/names.ts'

const { forward, backward, gradients } = Direction

describe('names of ops', () => {
  it.each([
    ['Module.net.fc.Linear.forward.3', 'module', 'Module.net.fc.Linear', forward, 3],
    ['Cell.net.fc.Dense.backward.0', 'module', 'Cell.net.fc.Dense', backward, 0],
    ['Functional.relu.12.forward', 'api', 'Functional.relu', forward, 12],
    ['Primitive.conv2d.Conv2D.0.backward', 'api', 'Primitive.conv2d.Conv2D', backward, 0],
    ['Module.net.fc.Linear.parameters_grad', 'gradients', 'Module.net.fc.Linear', gradients, 0],
    ['Module.net.fc.Linear.parameters_grad.2', 'gradients', 'Module.net.fc.Linear', gradients, 2],
    ['Module.forward.net.backward.1', 'module', 'Module.forward.net', backward, 1],
    ['Functional.relu.forward', 'other', 'Functional.relu.forward', forward, 0],
    ['optimizer', 'other', 'optimizer', forward, 0],
    ['', 'other', '', forward, 0],
    ['.forward', 'other', '.forward', forward, 0],
    ['.7', 'other', '.7', forward, 0],
    ['Module.a.constructor.0', 'other', 'Module.a.constructor.0', forward, 0],
    ['Functional.relu.1e2.forward', 'other', 'Functional.relu.1e2.forward', forward, 0],
  ])('%s', (name, form, owner, direction, call) => {
    const parsed = names.parse(name)
    expect(parsed).toMatchObject({ form, owner, direction, call })
    expect(parsed.path === '' ? parsed.type : `${parsed.type}.${parsed.path}`).toBe(owner)
  })

  it('are turned into the other direction and back', () => {
    for (const name of ['Module.a.backward.L.forward.3', 'Functional.silu_backward.0.forward']) {
      const twin = names.turned(name, backward)
      expect(twin).not.toBe(name)
      expect(names.direction(twin)).toBe(backward)
      expect(names.turned(twin, forward)).toBe(name)
      expect(names.turned(name, forward)).toBe(name)
    }
    for (const name of ['Module.a.L.parameters_grad', 'optimizer', 'Apis_Between_Modules.3'])
      expect(names.turned(name, backward)).toBe(name)
    expect(names.turnedThroughout('NPU.x_backward.0.backward', forward)).toBe('NPU.x_forward.0.forward')
  })

  it('name a direction by their end alone', () => {
    expect(names.direction('Module.a.backward.forward.0')).toBe(forward)
    expect(names.direction('Functional.relu.backward')).toBe(backward)
    expect(names.direction('Module.a.L.parameters_grad.0')).toBe(gradients)
    expect(names.direction('Module.a.backward.L')).toBe(null)
  })

  it('tell communication, modules and what mappings speak of', () => {
    expect(names.communication('Distributed.all_reduce.0.forward')).toBe('all_reduce')
    expect(names.communication('Functional.all_reduce.0.forward')).toBe(null)
    expect(names.parse('Cell.a.L.forward.0').ofModule).toBe(true)
    expect(names.parse('Modules.a.L.forward.0').ofModule).toBe(false)
    expect(names.api('Functional.relu.0.forward')).toBe('Functional.relu')
    expect(names.word('Functional.relu.0.forward')).toBe('relu')
    expect(names.cell('Cell.net.fc.Dense.forward.0')).toBe('net.fc.Dense')
    expect(names.cell('Functional.relu.0.forward')).toBe(undefined)
    expect(names.called('Module.net.fc.Linear.forward.0', 'attribute')).toBe('fc forward')
    expect(names.called('Module.net.fc.Linear.forward.0', 'class')).toBe('Linear forward')
    expect(names.called('Functional.relu.0.forward', 'class')).toBe('relu forward')
  })

  it('say whether a module may hold another', () => {
    const own = 'Module.net.fc.Linear.backward.0'
    expect(names.mayStandBelow(own, 'Module.net.Net.backward.0')).toBe(true)
    expect(names.mayStandBelow(own, 'Module.other.Net.backward.0')).toBe(false)
    expect(names.mayStandBelow(own, 'x')).toBe(true)
    expect(names.isNested('Module.0.layers.1.L.forward.0')).toBe(false)
    expect(names.isNested('Module.a.layers.b.L.forward.0')).toBe(true)
  })
})

describe('names of items', () => {
  it.each([
    ['Functional.relu.0.forward.kwargs.dim', 'Functional.relu.0.forward', State.input],
    ['Functional.relu.0.forward.output.0.1', 'Functional.relu.0.forward', State.output],
    ['Module.a.L.forward.0.parameters.weight', 'Module.a.L.forward.0', State.parameters],
    ['Module.a.L.parameters_grad.weight', 'Module.a.L.parameters_grad', State.parametersGrad],
    ['strange', 'strange', State.input],
  ])('%s', (name, op, state) => {
    expect(names.item(name)).toEqual({ op, state })
    expect(names.stateOf(op, name)).toBe(state)
  })

  it('lose or keep the numbers of calls', () => {
    expect(names.withoutCalls('Functional.relu.3.forward.input.0', 'forward')).toBe('Functional.relu.input.0')
    expect(names.withoutCalls('Functional.relu.3.forward.input.0', 'backward')).toBe(null)
    expect(names.withoutNumbers('Module.0.layers.1.L.forward.3')).toBe('Module.layers.L.forward.3')
    expect(names.aroundBackwardCall('Functional.relu.3.backward')).toEqual(['Functional.relu.', '.backward'])
    expect(names.aroundBackwardCall('Module.a.L.backward.3')).toEqual(['Module.a.L.backward.', ''])
    expect(names.aroundBackwardCall('Module.a.L.forward.3')).toBe(null)
  })
})
