/**
 * The analysis of traces (Harter's thesis, §3.3) as a pipeline of MapReduce jobs (§3.2.1), and its report.
 *
 * <p>{@link io.packing.trace.analysis.Pipeline} runs the jobs, {@link io.packing.trace.analysis.Findings} is what they
 * find, {@link io.packing.trace.analysis.Report} draws it. {@link io.packing.trace.analysis.Rules} say what the files
 * and threads of an application are.
 */
@NullMarked
package io.packing.trace.analysis;

import org.jspecify.annotations.NullMarked;
