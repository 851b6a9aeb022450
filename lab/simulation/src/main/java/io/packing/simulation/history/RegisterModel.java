// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.history;

import io.packing.linear.SequentialModel;
import io.packing.simulation.schedule.RecordedOperation;
import java.util.Optional;

/** A register, which a write gives its value. */
record RegisterModel(long absent) implements SequentialModel<Long, RecordedOperation> {
    @Override
    public Long initial() {
        return absent;
    }

    @Override
    public Optional<Long> step(Long state, RecordedOperation operation) {
        if (operation.writes()) {
            return Optional.of(operation.value());
        }
        return state == operation.value() ? Optional.of(state) : Optional.empty();
    }

    @Override
    public boolean isRead(RecordedOperation operation) {
        return !operation.writes();
    }
}
