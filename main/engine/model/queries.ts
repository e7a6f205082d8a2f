// Questions that are often asked of many ranks, ready to be asked. Tables: rows, nodes, units, findings.

export const answerFormats = ['table', 'csv', 'json', 'parquet'] as const
export type AnswerFormat = (typeof answerFormats)[number]

/** Written into SQL as it is shown to the user, who changes it. */
export const builtInQueries = {
  'worst-nodes': `SELECT node, count(*) AS units, max(level) AS level, arg_max(step, level) AS step, arg_max(rank, level) AS rank
FROM nodes WHERE differs > 0
GROUP BY node ORDER BY level DESC, units DESC LIMIT 50`,
  'first-differences': `SELECT step, rank, "first" AS node, position, headline
FROM units WHERE differs > 0
ORDER BY step, position, rank LIMIT 100`,
  'units-by-difference': `SELECT step, rank, differs, "rows", worst, level
FROM units WHERE state = 'done'
ORDER BY differs DESC, level DESC, step, rank LIMIT 100`,
  'where-it-enters': `SELECT kind, headline, count(*) AS units, min(step) AS first_step, list_sort(list(DISTINCT rank)) AS ranks
FROM units WHERE headline IS NOT NULL
GROUP BY kind, headline ORDER BY units DESC, first_step`,
  'by-layer': `SELECT layer, count(DISTINCT (step, rank)) AS units, sum(differs)::BIGINT AS differs, max(level) AS level
FROM nodes WHERE layer IS NOT NULL
GROUP BY layer ORDER BY layer`,
  'over-steps': `SELECT step, count(*) AS ranks, count(*) FILTER (differs > 0) AS differ, sum(differs)::BIGINT AS "rows", max(level) AS level
FROM units WHERE state = 'done'
GROUP BY step ORDER BY step`,
  'odd-ranks': `WITH counted AS (SELECT rank, sum(differs) AS differs, max(level) AS level FROM units WHERE state = 'done' GROUP BY rank)
SELECT rank, differs::BIGINT AS differs, level, median(differs) OVER () AS usual
FROM counted QUALIFY differs > 2 * usual
ORDER BY differs DESC, rank`,
  collectives: `SELECT node, count(*) AS units, count(*) FILTER (differs > 0) AS differ, max(level) AS level
FROM nodes WHERE regexp_matches(lower(node), 'all_?reduce|all_?gather|reduce_?scatter|broadcast|all_?to_?all|send|recv')
GROUP BY node HAVING differ > 0 ORDER BY level DESC LIMIT 100`,
  'by-operation': `SELECT regexp_replace(node, '[.][0-9]+[.](forward|backward).*$|[.][0-9]+', '', 'g') AS operation,
  count(*) AS calls, count(*) FILTER (differs > 0) AS differ, max(level) AS level
FROM nodes GROUP BY operation HAVING differ > 0
ORDER BY differ DESC, level DESC LIMIT 50`,
  'forward-and-backward': `SELECT step, rank, regexp_extract(node, '(forward|backward|parameters_grad)', 1) AS pass,
  sum(differs)::BIGINT AS differs, max(level) AS level
FROM nodes GROUP BY step, rank, pass HAVING sum(differs) > 0
ORDER BY step, rank, pass`,
  'types-and-shapes': `SELECT node, part, debugDtype, benchDtype, debugShape, benchShape, count(*) AS units
FROM "rows" WHERE debugDtype <> benchDtype OR debugShape <> benchShape
GROUP BY ALL ORDER BY units DESC LIMIT 100`,
  'not-there': `SELECT step, rank, state, problem, debug FROM units WHERE state <> 'done' ORDER BY step, rank`,
} as const
export type BuiltInQuery = keyof typeof builtInQueries

export const builtInNames = Object.keys(builtInQueries) as readonly BuiltInQuery[]
