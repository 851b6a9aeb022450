package io.packing.bdt.master.table;

import java.io.IOException;

/** A row of the table names what the table does not have. */
final class ContradictionException extends IOException {
    private static final long serialVersionUID = 1L;

    ContradictionException(String message) {
        super(message);
    }
}
