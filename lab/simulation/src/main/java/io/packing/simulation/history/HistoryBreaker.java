// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.history;

import io.packing.simulation.schedule.RecordedOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A maker of histories that no order explains: one read has another value. */
final class HistoryBreaker {
    /** The defects of registers that it plays. */
    enum Break {
        /** A read finds the value of a write that another one replaced before the read began. */
        STALE,
        /** A read finds a value that no client wrote. */
        UNWRITTEN,
        /** A read finds nothing after an answered write, and nothing has taken the value. */
        LOST
    }

    private static final long UNWRITTEN_VALUE = 999_999_999_999L;

    private final Random random;

    HistoryBreaker(Random random) {
        this.random = random;
    }

    /** Returns a broken form of a history; empty if none of its reads can be broken so. */
    Optional<RegisterHistory> broken(RegisterHistory sound, Break how) {
        List<RegisterHistory> all = new ArrayList<>();
        List<RecordedOperation> operations = sound.operations();
        for (int i = 0; i < operations.size(); i++) {
            RecordedOperation read = operations.get(i);
            Optional<Long> value = read.writes() ? Optional.empty() : wrong(operations, read, how);
            if (value.isPresent()) {
                List<RecordedOperation> changed = new ArrayList<>(operations);
                RecordedOperation unused = changed.set(
                        i, new RecordedOperation(read.client(), false, value.get(), read.call(), read.end()));
                boolean unusedAdded = all.add(new RegisterHistory(sound.name() + "-" + how, changed));
            }
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private static Optional<Long> wrong(List<RecordedOperation> operations, RecordedOperation read, Break how) {
        List<RecordedOperation> before = operations.stream()
                .filter(each -> each.writes() && each.end() < read.call())
                .toList();
        return switch (how) {
            case UNWRITTEN -> Optional.of(UNWRITTEN_VALUE);
            case STALE ->
                before.stream()
                        .filter(each -> before.stream().anyMatch(later -> later.call() > each.end()))
                        .map(RecordedOperation::value)
                        .filter(value -> writes(operations, value) == 1)
                        .findFirst();
            case LOST ->
                before.stream()
                        .filter(each -> each.value() != RegisterHistory.ABSENT)
                        .filter(each -> operations.stream()
                                .noneMatch(taken -> taken.writes()
                                        && taken.value() == RegisterHistory.ABSENT
                                        && taken.end() >= each.call()))
                        .map(each -> RegisterHistory.ABSENT)
                        .findFirst();
        };
    }

    private static long writes(List<RecordedOperation> operations, long value) {
        return operations.stream()
                .filter(each -> each.writes() && each.value() == value)
                .count();
    }
}
