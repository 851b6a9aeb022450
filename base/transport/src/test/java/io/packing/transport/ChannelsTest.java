// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

final class ChannelsTest {
    @Test
    void noHostIsTakenForAScheme() {
        assertThat(Channels.target("worker-1:19000")).isEqualTo("dns:///worker-1:19000");
        assertThat(Channels.target("dns:19000")).isEqualTo("dns:///dns:19000");
        assertThat(Channels.target("unix:19000")).isEqualTo("dns:///unix:19000");
    }

    @Test
    void anIpV6AddressIsEscaped() {
        assertThat(Channels.target("[::1]:19000")).isEqualTo("dns:///%5B::1%5D:19000");
        ConnectionOptions settings = settings(Duration.ofSeconds(10));
        assertThat(Channels.open("[::1]:19000", settings).shutdownNow().authority())
                .isEqualTo("[::1]:19000");
    }

    @Test
    void aClientThatAsksMoreOftenThanServersPermitIsRefused() {
        assertThatThrownBy(() -> settings(Duration.ofSeconds(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT10S");
    }

    @Test
    void aNameThatCannotBeResolvedIsNotLoggedAtEachTry() throws InterruptedException {
        List<LogRecord> logged = Collections.synchronizedList(new ArrayList<>());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                logged.add(record);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("io.grpc");
        root.addHandler(handler);
        ManagedChannel channel = Channels.open("no-host.invalid:1", settings(Duration.ofSeconds(10)));
        try {
            while (channel.getState(true) != ConnectivityState.TRANSIENT_FAILURE) {
                Thread.onSpinWait();
            }
        } finally {
            channel.shutdownNow();
            assertThat(channel.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            root.removeHandler(handler);
        }
        assertThat(logged).isEmpty();
    }

    private static ConnectionOptions settings(Duration keepAlive) {
        return new ConnectionOptions(1_000, Duration.ofSeconds(1), keepAlive, Duration.ofSeconds(1));
    }
}
