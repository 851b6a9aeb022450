package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
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
        ConnectionSettings settings = settings(Duration.ofSeconds(10));
        assertThat(Channels.open("[::1]:19000", settings).shutdownNow().authority())
                .isEqualTo("[::1]:19000");
    }

    @Test
    void aClientThatAsksMoreOftenThanServersPermitIsRefused() {
        assertThatThrownBy(() -> settings(Duration.ofSeconds(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT10S");
    }

    private static ConnectionSettings settings(Duration keepAlive) {
        return new ConnectionSettings(1_000, Duration.ofSeconds(1), keepAlive, Duration.ofSeconds(1));
    }
}
