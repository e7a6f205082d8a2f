// What names of TensorFlow and GE say.
import { expect, it } from 'vitest'
import { geNames as names } from '../../../main/engine/names/ge.ts'
import { kindOf } from '../../../main/engine/pair/op-kinds.ts'
import { State } from '../../../main/engine/model/names.ts'

it.each([
  ['LeNet/fc/MatMul', 'api', 'LeNet.fc.MatMul', 0],
  ['LeNet/fc/MatMul_3', 'api', 'LeNet.fc.MatMul', 3],
  ['input', 'api', 'input', 0],
  ['LeNet/fc/', 'module', 'LeNet.fc', 0],
  ['while/body//', 'module', 'while.body', 0],
])('%s', (name, form, owner, call) => {
  const said = names.parse(name)
  expect(said).toMatchObject({ form, owner, call })
  expect(said.path === '' ? said.type : `${said.type}.${said.path}`).toBe(owner)
})

it.each([
  ['LeNet/conv1/Conv2DLeNet/conv1/Relu', 'LeNet/conv1/', 'Conv2DLeNet/conv1/Relu'],
  ['LeNet/conv1/', 'LeNet/', 'conv1'],
  ['loop//', '', 'loop'],
  ['input', 'DefaultModel', 'input'],
])('the box of %s in %s', (name, above, label) => {
  expect(names.label?.(name, above)).toBe(label)
})

it('items say their op and part', () => {
  expect(names.item('a.b/output.0.output.12')).toEqual({ op: 'a.b/output.0', state: State.output })
  expect(names.item('LeNet/fc/MatMul.input.1')).toEqual({ op: 'LeNet/fc/MatMul', state: State.input })
})

it('kinds follow from the last word', () => {
  const kind = (name: string): string => kindOf(names, names.parse(name).owner)
  expect(kind('LeNet/fc/MatMul_1')).toBe('product')
  expect(kind('matmul/fc/Reshape')).toBe('view')
  expect(kind('net/HcomAllReduce_2')).toBe('communication')
})
