// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.packing.storeservers.AwsServices.Call;
import io.packing.storeservers.AwsServices.Service;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Credentials that end while an object is sent, and clocks that are apart. */
@NullUnmarked
@Timeout(120)
class EndedCredentialsTest {
    private static final int BYTES = 11 << 20;
    private static final Map<String, String> IN_PARTS = Map.of("packing.s3.put.single.max", "5MB");

    @TempDir
    private Path home;

    private AwsProcess process;
    private Path large;

    @BeforeEach
    void start() throws IOException {
        process = new AwsProcess(home);
        large = Files.write(home.resolve("large"), new byte[BYTES]);
    }

    @AfterEach
    void stop() {
        process.close();
    }

    private List<Call> writes() {
        return process.services.calls(Service.STORE).stream()
                .filter(call -> !call.text().startsWith("HEAD"))
                .toList();
    }

    @Test
    void anObjectInPartsIsCompletedByCredentialsThatWereRenewedBetweenThem() throws IOException {
        process.webIdentity();
        // The SDK renews credentials that end within a minute, and the store takes the newest only.
        process.services.life(Duration.ofSeconds(30));
        process.services.takeOnlyTheNewest();
        try (ObjectStore store = process.open(IN_PARTS)) {
            store.put("large", large, PutCondition.IF_ABSENT);
        }
        assertThat(writes()).hasSize(5).extracting(Call::key).doesNotHaveDuplicates();
    }

    private static void write(Path file, String key) throws IOException {
        Files.writeString(
                file,
                "[default]\naws_access_key_id = %s\naws_secret_access_key = s\naws_session_token = t\n".formatted(key));
    }

    @Test
    void keysThatEndBetweenThePartsFailThePutWithTheirSourceAndNewOnesInTheFileSendItAll() throws IOException {
        Path file = home.resolve("keys");
        write(file, "first");
        Map<String, String> own =
                Map.of("packing.s3.put.single.max", "5MB", "packing.s3.credentials.file", file.toString());
        try (ObjectStore store = process.open(own)) {
            process.services.end("first");
            assertThatIOException()
                    .isThrownBy(() -> store.put("large", large, PutCondition.IF_ABSENT))
                    .withMessageContaining("the credentials have expired (400 ExpiredToken)")
                    .withMessageContaining("profile default in " + file)
                    .withMessageContaining("put new ones there by a rename");
            assertThat(large).hasSize(BYTES);
            process.services.forget();
            write(file, "second");
            store.put("large", large, PutCondition.IF_ABSENT);
        }
        assertThat(writes().stream().filter(call -> call.key().equals("second")))
                .as("start, three parts and completion")
                .hasSize(5);
    }

    @Test
    void aClockThatIsWrongByAnHourIsRefusedWithTheTimeOfTheStore() {
        process.variable("AWS_ACCESS_KEY_ID", "a");
        process.variable("AWS_SECRET_ACCESS_KEY", "s");
        process.services.storeClock(Duration.ofHours(1));
        assertThatIOException()
                .isThrownBy(() -> process.open(Map.of()))
                .withMessageContaining("the store refuses this machine's clock")
                .withMessageContaining("its own says")
                .withMessageContaining(" GMT; set the clock");
    }

    @Test
    void aClockThatIsWrongByAMinuteIsGoodEnough() throws IOException {
        process.variable("AWS_ACCESS_KEY_ID", "a");
        process.variable("AWS_SECRET_ACCESS_KEY", "s");
        process.services.storeClock(Duration.ofMinutes(-1));
        try (ObjectStore store = process.open(Map.of())) {
            store.put("k", ByteBuffer.wrap(new byte[10]), PutCondition.IF_ABSENT);
        }
        assertThat(writes()).hasSize(1);
    }
}
