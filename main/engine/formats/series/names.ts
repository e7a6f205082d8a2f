// How folders and files of values over steps and ranks are called: of gradient probes and of training monitors.

/** `rank0`; of a probe whose rank is not known, `rank`. */
export const probeFolder = /^rank(\d*)$/
export const summaryFile = /^grad_summary_(\d+)\.csv$/
export const signFolder = /^step(\d+)$/

/** Of the first monitor, `Dec03_21-34-40-rank0-1a2b3c4d`, and of the second, `rank_0`. */
export const monitorFolder = /^(?:([\w-]{0,20})-)?rank(\d{1,5})-/
export const secondMonitorFolder = /^rank_(\d{1,5})$/
export const monitorFile = /^(.+)_(\d+)-(\d+)\.csv$/
export const secondMonitorFile = /^(module|weight_grad|optimizer|param|cc)_step(\d+)-(\d+)\.csv$/

export const trendFile = /\.trend\.db$/i
export const logFile = /\.(?:log|out)(?:\.\d+)?$/i
/** Of a trainer of Hugging Face, beside a checkpoint. */
export const trainerFile = /^trainer_state[\w.-]*\.json$/i
/** A text may be many things. */
export const textFile = /\.txt$/i
