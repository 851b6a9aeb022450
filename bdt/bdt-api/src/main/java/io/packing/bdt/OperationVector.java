// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.List;

/**
 * Operations that happen together or not at all. Every reader sees all or none of them, also after a crash and after a
 * rebuild from the backing store (ANViL §3.2). They are applied in order; each sees the effects of those before it.
 *
 * @param preconditions that must hold before the first operation
 */
public record OperationVector(List<Precondition> preconditions, List<Operation> operations) {
    /** The most operations: a vector is one record of the log. */
    public static final int MAX_OPERATIONS = 100_000;

    public OperationVector {
        preconditions = List.copyOf(preconditions);
        operations = List.copyOf(operations);
        if (operations.isEmpty()) {
            throw new IllegalArgumentException("a vector without an operation");
        }
        if (operations.size() > MAX_OPERATIONS || preconditions.size() > MAX_OPERATIONS) {
            throw new IllegalArgumentException("a vector of %,d operations and %,d preconditions; at most %,d of each"
                    .formatted(operations.size(), preconditions.size(), MAX_OPERATIONS));
        }
    }

    /** Returns whether one of the operations gives files bytes: see {@link Operation#givesBytes}. */
    public boolean givesBytes() {
        return operations.stream().anyMatch(Operation::givesBytes);
    }

    /** Returns whether one of the operations gives bytes to a file with one of these patterns, or may do so to one of a directory. */
    public boolean givesBytesTo(PathPatterns patterns) {
        return !patterns.isEmpty()
                && operations.stream()
                        .filter(Operation::givesBytes)
                        .anyMatch(each -> each.receiver().map(patterns::matches).orElse(true));
    }

    /** Makes a vector without preconditions. */
    public static OperationVector of(Operation... operations) {
        return new OperationVector(List.of(), List.of(operations));
    }
}
