// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.BackingStoreUnavailableException;
import io.packing.bdt.UnavailableException;
import io.packing.blob.CorruptBlobException;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.StoreUnavailableException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every kind of failure has the exit code that the help says. */
final class ExitCodesTest {
    private static final Map<Throwable, Integer> DOCUMENTED = Map.ofEntries(
            Map.entry(new IOException("disk"), ExitCodes.FAILED),
            Map.entry(new IllegalArgumentException("option"), ExitCodes.USAGE),
            Map.entry(new UnavailableException("master"), ExitCodes.UNAVAILABLE),
            Map.entry(new StoreUnavailableException("store"), ExitCodes.UNAVAILABLE),
            Map.entry(new BackingStoreUnavailableException("master's store", new IOException()), ExitCodes.UNAVAILABLE),
            Map.entry(new ConnectException("namenode"), ExitCodes.UNAVAILABLE),
            Map.entry(new NoRouteToHostException("namenode"), ExitCodes.UNAVAILABLE),
            Map.entry(new SocketTimeoutException("namenode"), ExitCodes.UNAVAILABLE),
            Map.entry(new UnknownHostException("namenode"), ExitCodes.UNAVAILABLE),
            Map.entry(new CorruptBlobException("blob"), ExitCodes.CORRUPT),
            Map.entry(new FileNotFoundException("file"), ExitCodes.NOT_FOUND),
            Map.entry(new NoSuchFileException("file"), ExitCodes.NOT_FOUND),
            Map.entry(new ObjectNotFoundException("object"), ExitCodes.NOT_FOUND));

    @Test
    void eachKindOfFailureHasItsCodeAlsoBelowOthers() {
        DOCUMENTED.forEach((failure, code) -> {
            assertThat(ExitCodes.of(failure)).as("%s", failure).isEqualTo(code);
            assertThat(ExitCodes.of(new UncheckedIOException(new IOException("around", failure))))
                    .as("around %s", failure)
                    .isEqualTo(code);
        });
    }
}
