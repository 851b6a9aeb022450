// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

/**
 * The I/O and the data of each family without the reads of its live data: flushes, compactions and gets of compacted
 * files.
 *
 * <p>{@link FamilyHeats} needs these numbers to derive the reads of live data from a published ratio (Fig. 3.4b). They
 * are bytes of the whole trace, from the mean sizes of {@link TraceModel.Writing}.
 */
final class Background {
    /** The shares of compacted files that were also written in the trace, by size. */
    record Seen(double small, double medium, double rewritten) {}

    private final TraceModel.Writing model;
    private final double tailBytes;
    private final Seen seen;
    private final double alone;
    private final double rewriting;

    Background(TraceModel.Writing model, Workload workload, double tailBytes, Seen seen) {
        this.model = model;
        this.tailBytes = tailBytes;
        this.seen = seen;
        this.alone =
                workload.families().stream().mapToDouble(Workload.Family::small).sum();
        this.rewriting = workload.families().stream()
                .filter(Workload.Family::rewrites)
                .mapToDouble(Workload.Family::written)
                .sum();
    }

    /** Returns the bytes of I/O. */
    double io(Workload.Family family) {
        return written(family) + read(family) + tail(family);
    }

    /** Returns the distinct bytes that were written, or read without being written in the trace. */
    double data(Workload.Family family) {
        return written(family) + read(family) + tail(family) - both(family);
    }

    private double written(Workload.Family family) {
        return jobs(family) * flushes() + outputs(family);
    }

    private double read(Workload.Family family) {
        return outputs(family) / model.outputRatio();
    }

    /** Returns the bytes of compacted files that gets read. A family has its share of large compactions of them. */
    private double tail(Workload.Family family) {
        return tailBytes * family.written();
    }

    /** Returns the bytes that were both written and read in the trace. */
    private double both(Workload.Family family) {
        double smalls = (flushes() * jobs(family) + smallInputs(family) * smallOutput()) * seen.small();
        return smalls
                + mediums(family) * model.mediumBytes() * seen.medium()
                + rewritten(family) * model.rewrittenBytes() * seen.rewritten();
    }

    private double outputs(Workload.Family family) {
        return roots(family) * model.rootBytes()
                + rewritten(family) * model.rewrittenBytes()
                + mediums(family) * model.mediumBytes()
                + (smallInputs(family) + smallsAlone(family)) * smallOutput();
    }

    private double jobs(Workload.Family family) {
        return roots(family) + rewritten(family) + mediums(family) + smallInputs(family) + smallsAlone(family);
    }

    private double roots(Workload.Family family) {
        return model.roots() * family.written();
    }

    private double rewritten(Workload.Family family) {
        return family.rewrites() ? model.rewritten() * family.written() / rewriting : 0;
    }

    private double mediums(Workload.Family family) {
        return model.mediums() * (roots(family) + rewritten(family)) / (model.roots() + model.rewritten());
    }

    private double smallInputs(Workload.Family family) {
        return model.smallsPerTree() * (roots(family) + rewritten(family) + mediums(family));
    }

    private double smallsAlone(Workload.Family family) {
        return model.smallsAlone() * family.small() / alone;
    }

    private double flushes() {
        return model.flushesPerJob() * model.flushBytes();
    }

    private double smallOutput() {
        return flushes() * model.outputRatio();
    }
}
