// What no message may hold: a hole that was not filled, a value that is none, a stack, a character that steers a terminal.
// Names in damaged input may hold `{count}` themselves.
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]|\n\s+at \S+ \(/
const unfilled = /\{[a-z]+\}|\bundefined\b|\[object /

export const isSafe = (text: string): boolean => !unsafe.test(text)
export const isFilled = (text: string): boolean => !unfilled.test(text.replaceAll('{count}', ''))
