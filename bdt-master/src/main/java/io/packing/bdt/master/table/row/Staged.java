// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

/**
 * State that the mutations of a batch change, and that is kept or taken back together with all other such state. Confined to the writer
 * thread.
 */
public interface Staged {
    /** Keeps the changes of the mutation under way, as long as its batch is kept. */
    void accept();

    /** Takes back the changes of the mutation under way. */
    void reject();

    /** Keeps the changes of the batch: it is on disk. */
    void written();

    /** Takes back the changes of all mutations of the batch. */
    void abandon();
}
