package io.packing.sorted;

import java.io.IOException;

/** The disk has too little free space to write safely. Free space, or wait until blobs are pushed; nothing was written. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public DiskFullException(String message) {
        super(message);
    }
}
