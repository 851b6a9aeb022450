// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import io.packing.linear.Timed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The operations of all clients of a round, with their times. Thread-safe. */
final class OperationHistory {
    /**
     * A deed of a client.
     *
     * @param key of the place
     * @param lane name of the client's thread
     */
    record Step(String key, String lane, Timed<ClientOperation> deed) {}

    private final Queue<Step> steps = new ConcurrentLinkedQueue<>();

    void add(Place place, String lane, ClientOperation deed, long call, long end) {
        steps.add(new Step(place.key(), lane, new Timed<>(deed, call, deed.isOpen() ? Timed.NEVER : end)));
    }

    int size() {
        return steps.size();
    }

    /** Returns the history of each place. */
    Map<String, List<Timed<ClientOperation>>> byKey() {
        Map<String, List<Timed<ClientOperation>>> all = new TreeMap<>();
        steps.forEach(step ->
                all.computeIfAbsent(step.key(), unseen -> new ArrayList<>()).add(step.deed()));
        return all;
    }

    /**
     * Writes the history in the order of the calls: call, end, lane, place and deed; times in microseconds since the
     * first call.
     */
    void write(Path file) throws IOException {
        List<Step> all = steps.stream()
                .sorted(Comparator.comparingLong(step -> step.deed().call()))
                .toList();
        long first = all.isEmpty() ? 0 : all.get(0).deed().call();
        Path unused = Files.write(
                file,
                all.stream()
                        .map(step -> "%d %s %s %s %s"
                                .formatted(
                                        (step.deed().call() - first) / 1_000,
                                        step.deed().end() == Timed.NEVER
                                                ? "never"
                                                : (step.deed().end() - first) / 1_000,
                                        step.lane(),
                                        step.key(),
                                        step.deed().operation()))
                        .toList());
    }
}
