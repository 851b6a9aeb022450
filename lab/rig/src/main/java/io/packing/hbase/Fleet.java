// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import io.packing.process.JavaProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processes that start one by one and stop together. Confined to one thread, except {@link #close}. */
final class Fleet implements AutoCloseable {
    private final Setup setup;
    private final List<JavaProcess> processes = new ArrayList<>();

    Fleet(Setup setup) {
        this.setup = setup;
    }

    JavaProcess start(Child child) throws IOException {
        JavaProcess process = JavaProcess.start(child.prepare(setup), setup.logs());
        synchronized (processes) {
            processes.add(process);
        }
        return process;
    }

    /** Kills a process. {@link #awaitEnd} does not wait for it. */
    void kill(JavaProcess process) throws InterruptedException {
        process.kill();
        synchronized (processes) {
            processes.remove(process);
        }
    }

    List<JavaProcess> processes() {
        synchronized (processes) {
            return List.copyOf(processes);
        }
    }

    /**
     * Waits until all processes have ended by themselves.
     *
     * @throws io.packing.process.ProcessFailedException naming one that ended with an error or still runs when time is
     *     up
     */
    void awaitEnd(Duration timeout) throws IOException, InterruptedException {
        for (JavaProcess process : processes()) {
            process.awaitEnd(timeout);
        }
    }

    /** Stops the processes in parallel, since the hooks of each may take seconds. */
    @Override
    public void close() {
        processes().parallelStream().forEach(JavaProcess::close);
    }
}
