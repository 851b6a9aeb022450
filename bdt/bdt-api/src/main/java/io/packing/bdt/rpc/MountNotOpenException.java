package io.packing.bdt.rpc;

import java.io.IOException;

/** The master has restarted and waits for the mount to be opened with its options; clients do that by themselves. */
public final class MountNotOpenException extends IOException {
    private static final long serialVersionUID = 1L;

    public MountNotOpenException(String message) {
        super(message);
    }
}
