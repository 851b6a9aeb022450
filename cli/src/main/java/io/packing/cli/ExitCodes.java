// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.BackingStoreUnavailableException;
import io.packing.bdt.UnavailableException;
import io.packing.blob.CorruptBlobException;
import io.packing.operations.dump.CorruptDumpException;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.StoreUnavailableException;
import io.packing.trace.CorruptTraceException;
import java.io.FileNotFoundException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;

/** The exit codes of the command. */
public final class ExitCodes {
    public static final int OK = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    public static final int UNAVAILABLE = 3;
    public static final int CORRUPT = 4;
    public static final int NOT_FOUND = 5;
    public static final int NOT_FLUSHED = 6;

    private ExitCodes() {}

    /** The status for a failure: the first known kind along the chain of causes. */
    public static int of(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (isUnanswered(t)) {
                return UNAVAILABLE;
            }
            if (t instanceof CorruptBlobException
                    || t instanceof CorruptTraceException
                    || t instanceof CorruptDumpException) {
                return CORRUPT;
            }
            if (t instanceof FileNotFoundException
                    || t instanceof NoSuchFileException
                    || t instanceof ObjectNotFoundException) {
                return NOT_FOUND;
            }
            if (t instanceof IllegalArgumentException) {
                return USAGE;
            }
        }
        return FAILED;
    }

    /** Returns whether the master, a worker, the store or a Hadoop file system's server did not answer. */
    private static boolean isUnanswered(Throwable t) {
        return t instanceof UnavailableException
                || t instanceof StoreUnavailableException
                || t instanceof BackingStoreUnavailableException
                || t instanceof ConnectException
                || t instanceof NoRouteToHostException
                || t instanceof SocketTimeoutException
                || t instanceof UnknownHostException;
    }
}
