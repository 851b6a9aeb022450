package io.packing.store;

import java.io.IOException;

/** A range that reaches beyond the end of its object: the object is shorter than the reader believed. */
public final class RangeBeyondObjectException extends IOException {
    private static final long serialVersionUID = 1L;

    RangeBeyondObjectException(String message) {
        super(message);
    }
}
