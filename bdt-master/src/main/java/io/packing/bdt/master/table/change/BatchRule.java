// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import java.io.IOException;

/** Work that a writer does with each batch of mutations, or by itself when it is due. Confined to the writer thread. */
public interface BatchRule {
    /** A rule without work. */
    BatchRule NONE = new BatchRule() {
        @Override
        public long waitMillis(long most) {
            return most;
        }

        @Override
        public boolean isDue() {
            return false;
        }

        @Override
        public void before(Transaction transaction) {}

        @Override
        public void after(Transaction transaction) {}
    };

    /** A part of a rule, as a mutation of its own. */
    interface Step {
        void apply(Transaction transaction) throws IOException;
    }

    /** Returns the time until it is due, in milliseconds; at most the longest wait. */
    long waitMillis(long most) throws IOException;

    /** Returns whether it has work that does not wait for the next batch. */
    boolean isDue() throws IOException;

    /** Changes the table before the mutations of a batch do; a mutation of its own. */
    void before(Transaction transaction) throws IOException;

    /** Changes the table after the mutations of a batch; a mutation of its own. */
    void after(Transaction transaction) throws IOException;
}
