// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.List;

/** A text about the waits of threads. */
final class ThreadStacks {
    private static final String OWN = "io.packing.simulation.schedule";
    private static final int MOST_CHARS = 60_000;

    private ThreadStacks() {}

    static String of(List<SimulatedThread> threads) {
        StringBuilder text = new StringBuilder();
        for (SimulatedThread thread : threads) {
            text.append("  %s of %s: %s %s%n".formatted(thread.getName(), thread.machine(), thread.state, thread.why));
            for (StackTraceElement at : thread.getStackTrace()) {
                if (text.length() < MOST_CHARS && !at.getClassName().startsWith(OWN)) {
                    text.append("      ").append(at).append(System.lineSeparator());
                }
            }
        }
        return text.toString();
    }
}
