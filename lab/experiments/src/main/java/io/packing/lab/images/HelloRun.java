// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.lab.compare.Median;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The steps of one side with one image, and what they took. */
final class HelloRun {
    /** The number of further runs, each in a fresh container; the median counts. */
    private static final int RERUNS = 3;

    /** A step, or something that is done between two of them. */
    interface Pause {
        void run() throws IOException, InterruptedException;
    }

    /** A store's count of the bytes that it has given so far. */
    interface BytesRead {
        long bytes() throws IOException, InterruptedException;
    }

    private final HelloSide side;
    private final ImageSet.Image image;
    private final Path log;
    private final List<ContainerRun> runs = new ArrayList<>();
    private final List<ContainerRun> first = new ArrayList<>();
    private double pushS;
    private double pullS;
    private final List<Double> runS = new ArrayList<>();

    HelloRun(HelloSide side, ImageSet.Image image, Path logs) {
        this.side = side;
        this.image = image;
        this.log = logs.resolve("container.log");
    }

    double time(Pause step) throws IOException, InterruptedException {
        long start = System.nanoTime();
        step.run();
        return (System.nanoTime() - start) / 1e9;
    }

    void push() throws IOException, InterruptedException {
        pushS = time(() -> side.push(image));
    }

    double settle() throws IOException, InterruptedException {
        return time(side::settle);
    }

    /** Pulls and runs the image for the first time, on another machine than {@link #pullAndRun}. */
    HelloExperiment.FirstStart startFirst(BytesRead read) throws IOException, InterruptedException {
        long before = read.bytes();
        double pull = time(() -> side.pull(image));
        double run = time(() -> first.add(ContainerRun.of(side.start(image), log, HelloProgram.of(image))));
        long bytes = read.bytes() - before;
        side.stop();
        return new HelloExperiment.FirstStart(pull, run, bytes);
    }

    void pullAndRun(Pause afterFirst) throws IOException, InterruptedException {
        pullS = time(() -> side.pull(image));
        runOnce();
        afterFirst.run();
        for (int i = 0; i < RERUNS; i++) {
            runOnce();
        }
    }

    private void runOnce() throws IOException, InterruptedException {
        runS.add(time(() -> runs.add(ContainerRun.of(side.start(image), log, HelloProgram.of(image)))));
        side.stop();
    }

    HelloTimes times() {
        return new HelloTimes(pushS, pullS, runS.get(0), Median.of(runS.subList(1, runS.size())));
    }

    String said() {
        return first + ", " + runs;
    }

    boolean isWrong() {
        return runs.stream().anyMatch(run -> run.exit() != 0);
    }

    boolean isLike(HelloRun other) {
        return runs.equals(other.runs) && first.stream().allMatch(other.runs::contains);
    }
}
