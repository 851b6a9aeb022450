// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.rig.EngineRig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A pull of an image by a machine that has never seen it, and the first two containers there.
 *
 * @param pullS seconds of the pull
 * @param firstS seconds of the first container, from its creation to its removal
 * @param secondS seconds of the second one
 * @param serverS processor seconds of our snapshotter and mount in the first run
 * @param first result of the first container
 * @param second result of the second one
 */
record ContainerdRun(
        double pullS, double firstS, double secondS, double serverS, ContainerRun first, ContainerRun second) {
    /** A program that runs in each container, and the image with it. */
    record Work(String image, List<String> program) {
        Work {
            program = List.copyOf(program);
        }
    }

    /** A step after the containers, while the machine still runs. */
    interface Afterwards {
        void run() throws IOException, InterruptedException;
    }

    /** Measures on a new machine, which ends when the last step is done. */
    static ContainerdRun of(ContainerdSystem system, EngineRig rig, Work work, Afterwards last)
            throws IOException, InterruptedException {
        try (ContainerdMachine machine = system.machine(rig)) {
            long start = System.nanoTime();
            system.pull(machine, work.image());
            double pullS = since(start);
            TimeUnit.NANOSECONDS.sleep(system.pause().toNanos());
            Duration before = machine.serverTime();
            long running = System.nanoTime();
            ContainerRun first = machine.run(work.image(), work.program());
            double firstS = since(running);
            Duration served = machine.serverTime().minus(before);
            long again = System.nanoTime();
            ContainerRun second = machine.run(work.image(), work.program());
            double secondS = since(again);
            last.run();
            return new ContainerdRun(pullS, firstS, secondS, served.toNanos() / 1e9, first, second);
        }
    }

    private static double since(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    double deploymentS() {
        return pullS + firstS;
    }

    /** Returns whether both programs ended well, and printed these words. */
    boolean isRight(String said) {
        return first.equals(new ContainerRun(0, said)) && second.equals(first);
    }
}
