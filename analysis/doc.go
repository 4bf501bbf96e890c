// Package analysis turns trials into numbers with intervals: it is the only
// place where ratios are taken, so that every table, figure and claim agrees.
//
// The unit is the trial (one seeded replication of one cell). Requests within a
// trial share queues and faults, so they are not independent; an interval that
// counts requests as its sample would be far too narrow. Hence [Mean],
// [RatioOfSums] and [Paired] take one value, or one pair of counts, per trial.
// [Wilson] and [ClopperPearson] are for trials counted by a yes or no (collapsed,
// recovered) and for samples of repositories.
//
// Every result is an [Interval] or contains one, and carries its warnings: too
// few trials, a proportion at 0 or 1, two humps, censored recoveries. Nothing is
// printed here and nothing is left unsaid: report prints warnings as footnotes.
//
// Which to take:
//
//   - a mean over trials: [Mean]; a ratio of counts: [RatioOfSums], or
//     [MeanOfRatios] where a source (the paper) averages the trials' ratios;
//   - two strategies on the same streams: [Paired], [PairedRatioOfSums], then
//     [Holm] when several are ranked;
//   - a median or other quantile: [QuantileInterval]; any other statistic:
//     [BootstrapBCa];
//   - a share of trials or repositories: [Wilson]; where the level must never
//     be undercut: [ClopperPearson]; a share that detection misses a part of:
//     [Prevalence];
//   - time to recover with trials that never did: [KaplanMeier];
//   - how many trials: [TrialsForMean], [TrialsForProportion], [StopRule];
//   - where along a factor something tips: [Bisect] (chooses the points) or
//     [Crossing] (given a grid).
//
// Each function is deterministic: sums run in the order of the arguments, and
// resampling takes a seed. A level outside (0, 1) or arguments of unequal length
// are programming errors and panic. Values that are not numbers (a ratio with
// nothing below the line) are left out and [WarnLeftOut] says so.
package analysis
