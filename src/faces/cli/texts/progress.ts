/** Words of the progress lines. */
export const PROGRESS = {
  doing: {
    create: "creating",
    update: "updating",
    destroy: "destroying",
    compensate: "compensating",
    owed: "doing what is owed",
  },
  observing: "asking what is there",
  began: (verb: string, operation: string, steps: number) =>
    `${verb} ${operation} over ${steps} ${steps === 1 ? "step" : "steps"}`,
  attempt: (count: number) => ` (attempt ${count})`,
  waiting: (why: string, atMost: string | null) =>
    `waits ${why}${atMost === null ? "" : `, ${atMost} at the most`}`,
  still: (what: string, since: string) => `still ${what}, for ${since}`,
  asking: "asking the cluster",
  askingFor: (time: string) => `asking the cluster for ${time}`,
  askingAgain: (time: string) => `asking again for ${time}`,
  asRead: (time: string, ago: string) => `read at ${time}Z, ${ago} ago`,
  windowLeft: (left: string) => `${left} of the window left`,
  deadlineLeft: (left: string) => `its own deadline in ${left}`,
  andMore: (count: number) => `and ${count} more`,
  more: (count: number) => `and ${count} more at work`,
  drain: (signal: string, grace: string) =>
    `${signal}: nothing more is started; calls in flight have ${grace} to end. The same signal again ends them at once, and leaves their steps unresolved.`,
} as const;
