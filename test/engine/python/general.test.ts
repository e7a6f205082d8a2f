// %g as C and Python print it.
import { expect, it } from 'vitest'
import { general } from '../../../main/engine/python/index.ts'

it.each([
  [0, '0'],
  [-0, '-0'],
  [1, '1'],
  [-2.5, '-2.5'],
  [0.1, '0.1'],
  [100000, '100000'],
  [1000000, '1e+06'],
  [123456.7, '123457'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [0.000123456789, '0.000123457'],
  [999999.5, '1e+06'],
  [1e300, '1e+300'],
  [5e-324, '4.94066e-324'],
  [Number.NaN, 'nan'],
  [Infinity, 'inf'],
  [-Infinity, '-inf'],
  // Exact ties go to the even digit.
  [1234565, '1.23456e+06'],
  [1234575, '1.23458e+06'],
  [10.03125, '10.0312'],
  [12.34375, '12.3438'],
  [-0.4863281, '-0.486328'],
])('%d', (value, text) => expect(general(value)).toBe(text))
