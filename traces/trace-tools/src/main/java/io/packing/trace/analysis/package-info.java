// SPDX-License-Identifier: Apache-2.0
/**
 * The analysis of traces (Harter's thesis, §3.3) as a pipeline of MapReduce jobs (§3.2.1), and its report.
 *
 * <p>{@link io.packing.trace.analysis.Pipeline} runs the jobs, {@link io.packing.trace.analysis.Findings} are their
 * results, and {@link io.packing.trace.analysis.AnalysisReport} draws them. {@link io.packing.trace.analysis.Rules} classify
 * the files and threads of an application.
 */
@NullMarked
package io.packing.trace.analysis;

import org.jspecify.annotations.NullMarked;
