// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.history;

import io.packing.linear.Finding;
import io.packing.linear.Linearizability;
import io.packing.linear.Timed;
import io.packing.simulation.schedule.RecordedOperation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The operations of all clients on one register.
 *
 * @param name without a space
 */
record RegisterHistory(String name, List<RecordedOperation> operations) {
    /** The value of a register that was never written: the name is absent. */
    static final long ABSENT = -1;

    private static final long MOST_CONFIGURATIONS = 3_000_000;

    RegisterHistory {
        operations = List.copyOf(operations);
    }

    /** Returns the histories that the record of a schedule has. */
    static List<RegisterHistory> of(long seed, List<String> records) {
        Map<String, List<RecordedOperation>> registers = new LinkedHashMap<>();
        for (String line : records) {
            if (RecordedOperation.isOne(line)) {
                RecordedOperation.Of read = RecordedOperation.parse(line);
                boolean unused = registers
                        .computeIfAbsent(read.register(), unseen -> new ArrayList<>())
                        .add(read.operation());
            }
        }
        return registers.entrySet().stream()
                .map(each -> new RegisterHistory(seed + each.getKey(), each.getValue()))
                .toList();
    }

    /** Returns true if a checker can find something: a value is written and one is read. */
    boolean says() {
        return operations.stream().anyMatch(RecordedOperation::writes)
                && operations.stream().anyMatch(each -> !each.writes());
    }

    /** Returns what our checker says. */
    Finding.Verdict verdict() {
        List<Timed<RecordedOperation>> timed = operations.stream()
                .map(each -> new Timed<>(each, each.call(), each.end()))
                .toList();
        return Linearizability.check(new RegisterModel(ABSENT), timed, MOST_CONFIGURATIONS)
                .verdict();
    }

    /** Returns the history in the common form, a line of JSON. */
    String json() {
        StringBuilder text =
                new StringBuilder("{\"history\":\"%s\",\"initial\":%d,\"operations\":[".formatted(name, ABSENT));
        String between = "";
        for (RecordedOperation each : operations) {
            text.append(between)
                    .append("{\"client\":%d,\"kind\":\"%s\",\"value\":%d,\"call\":%d"
                            .formatted(each.client(), each.writes() ? "write" : "read", each.value(), each.call()));
            if (each.end() != RecordedOperation.OPEN) {
                text.append(",\"end\":").append(each.end());
            }
            text.append('}');
            between = ",";
        }
        return text.append("]}").toString();
    }
}
