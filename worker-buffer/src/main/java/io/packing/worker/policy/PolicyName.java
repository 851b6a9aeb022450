// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.policy;

/** The registry of packing policies. */
public enum PolicyName {
    FIFO(new Fifo()),
    DIRECTORY(new ByDirectory()),
    SIZE(new BySize());

    // Policies have no state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final PackingPolicy policy;

    PolicyName(PackingPolicy policy) {
        this.policy = policy;
    }

    public PackingPolicy policy() {
        return policy;
    }
}
