// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TranslatedBdtTest {
    private static final FilePath PATH = new FilePath("/d/f");

    /** Returns a table of a door, of which each method fails in one way. */
    private static Bdt failing(Throwable failure) {
        return TranslatedBdt.of(
                (Bdt) Proxy.newProxyInstance(
                        Bdt.class.getClassLoader(), new Class<?>[] {Bdt.class}, (self, method, arguments) -> {
                            throw failure;
                        }),
                known -> new AccessDeniedException("as the door says it: " + known.getMessage()));
    }

    @Test
    void denialsAndQuotasAreThrownAsTheDoorKnowsThem() {
        for (IOException known : new IOException[] {
            new DeniedException("no right"), new QuotaExceededException(Outcome.BYTES_QUOTA, "no room")
        }) {
            Bdt bdt = failing(known);
            assertThatThrownBy(() -> bdt.stat(PATH))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessage("as the door says it: " + known.getMessage());
            assertThatThrownBy(() -> bdt.delete(PATH, true)).isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(bdt::checkpoint).isInstanceOf(AccessDeniedException.class);
        }
    }

    @Test
    void anyOtherFailureIsThrownAsItIs() {
        for (Throwable other : new Throwable[] {
            new FileNotFoundException("gone"), new IllegalStateException("our bug"), new StackOverflowError("deep")
        }) {
            assertThatThrownBy(() -> failing(other).stat(PATH)).isSameAs(other);
        }
    }

    @Test
    void answersAreThoseOfTheTable() throws IOException {
        Bdt bdt = TranslatedBdt.of(
                (Bdt) Proxy.newProxyInstance(
                        Bdt.class.getClassLoader(),
                        new Class<?>[] {Bdt.class},
                        (self, method, arguments) -> switch (method.getName()) {
                            case "stat" -> Optional.empty();
                            case "encryptionKey" -> "key";
                            case "withholdsPlaces" -> true;
                            default -> throw new UnsupportedOperationException(method.getName());
                        }),
                known -> known);
        assertThat(bdt.stat(PATH)).isEmpty();
        assertThat(bdt.encryptionKey()).isEqualTo("key");
        assertThat(bdt.withholdsPlaces()).isTrue();
    }
}
