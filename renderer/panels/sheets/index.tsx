// Tables of what surrounds runs: configuration packages, results of many ranks.
import type { JSX } from 'react'
import { Sheets } from '../../ui/sheets/index.tsx'

export default function SheetsPanel(): JSX.Element {
  return <Sheets />
}
