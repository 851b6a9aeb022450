// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileKeystoreTest {
    private static final String ONE = "01".repeat(32);
    private static final String TWO = "02".repeat(32);

    @TempDir
    private Path directory;

    private Path file(String... lines) throws IOException {
        return Files.writeString(directory.resolve("keys"), String.join("\n", lines) + "\n");
    }

    private static Keystore open(Path file) throws IOException {
        return Keystores.open(file.toUri(), Optional.empty());
    }

    @Test
    void aDataKeyIsUnwrappedByWhoeverHasTheVersion() throws IOException {
        Path file = file("# comment", "", "small@0 " + ONE + "   # the first", "smaller@7 " + TWO);
        DataKey made = open(file).create("small");
        assertThat(made.wrapped().name()).isEqualTo("small");
        assertThat(made.wrapped().version()).isEqualTo("small@0");
        assertThat(open(file).unwrap(made.wrapped()).getEncoded())
                .isEqualTo(made.secret().getEncoded());
        assertThat(open(file).create("small").secret().getEncoded())
                .isNotEqualTo(made.secret().getEncoded());
    }

    @Test
    void theNewestVersionIsTheLargestNumber() throws IOException {
        Path file = file("small@9 " + ONE, "small@10 " + TWO, "small@2 " + ONE);
        assertThat(open(file).create("small").wrapped().version()).isEqualTo("small@10");
    }

    @Test
    void aNewVersionIsUsedWithoutARestartOnceTheDataKeyEnds() throws IOException {
        Path file = file("small@0 " + ONE);
        long[] now = {0};
        DataKeys keys = new DataKeys(open(file), "small", () -> now[0]);
        WrappedKey first = keys.begin(ObjectCipher.Purpose.BLOB).wrapped();
        file("small@0 " + ONE, "small@1 " + TWO);
        assertThat(keys.begin(ObjectCipher.Purpose.BLOB).wrapped()).isEqualTo(first);
        now[0] = Duration.ofHours(1).toNanos();
        assertThat(keys.begin(ObjectCipher.Purpose.BLOB).wrapped().version()).isEqualTo("small@1");
    }

    @Test
    void aFileThatIsGoneLeavesWhatWasReadButMakesNoNewDataKey() throws IOException {
        Path file = file("small@0 " + ONE);
        Keystore store = open(file);
        WrappedKey before = open(file).create("small").wrapped();
        long[] now = {0};
        DataKeys keys = new DataKeys(store, "small", () -> now[0]);
        ObjectCipher unused = keys.begin(ObjectCipher.Purpose.BLOB);
        Files.delete(file);
        assertThat(store.unwrap(before)).isNotNull();
        assertThat(keys.begin(ObjectCipher.Purpose.BLOB).wrapped()).isEqualTo(unused.wrapped());
        now[0] = Duration.ofHours(1).toNanos();
        assertThatThrownBy(() -> keys.begin(ObjectCipher.Purpose.BLOB))
                .isInstanceOf(KeyUnavailableException.class)
                .hasMessageContaining(file + " cannot be read")
                .hasMessageContaining("Put it back");
        assertThatThrownBy(() -> open(file)).isInstanceOf(KeyUnavailableException.class);
        file("small@0 " + ONE);
        assertThat(keys.begin(ObjectCipher.Purpose.BLOB).wrapped().version()).isEqualTo("small@0");
    }

    @Test
    void badLinesAreNamedByNumberAndNeverShown() throws IOException {
        for (String bad : new String[] {"small@0 " + ONE + "ff", "small@0", "small@0 " + ONE.replace("1", "x"), ONE}) {
            Path file = file("good@0 " + ONE, bad);
            assertThatThrownBy(() -> open(file))
                    .isInstanceOf(KeyUnavailableException.class)
                    .hasMessageContaining("line 2")
                    .hasMessageNotContaining(ONE.substring(2));
        }
        Path twice = file("small@0 " + ONE, "small@0 " + TWO);
        assertThatThrownBy(() -> open(twice)).hasMessageContaining("line 2 has small@0 once more");
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        Path file = file("small@0 " + ONE);
        Keystore store = open(file);
        assertThatThrownBy(() -> store.create("other"))
                .isInstanceOf(KeyUnavailableException.class)
                .hasMessageContaining("no key other");
        ByteBuffer bytes = ByteBuffer.allocate(60);
        WrappedKey later = new WrappedKey(WrappedKey.BY_PACKING, "small", "small@3", bytes);
        assertThatThrownBy(() -> store.unwrap(later))
                .isInstanceOf(KeyUnavailableException.class)
                .hasMessageContaining("no version small@3 of key small");
        WrappedKey wrong = new WrappedKey(WrappedKey.BY_PACKING, "small", "small@0", bytes);
        assertThatThrownBy(() -> store.unwrap(wrong)).hasMessageContaining("another key as small@0");
        WrappedKey cut = new WrappedKey(WrappedKey.BY_PACKING, "small", "small@0", ByteBuffer.allocate(3));
        assertThatThrownBy(() -> store.unwrap(cut)).hasMessageContaining("another key as small@0");
        WrappedKey ofKms = new WrappedKey(WrappedKey.BY_HADOOP, "small", "small@0", bytes);
        assertThatThrownBy(() -> store.unwrap(ofKms)).hasMessageContaining("is in a KMS");
        assertThatThrownBy(() -> Keystore.NONE.unwrap(wrong)).hasMessageContaining("small@0");
        assertThatThrownBy(() -> Keystore.NONE.create("small")).hasMessageContaining("small");
    }

    @Test
    void aKeystoreOfHadoopIsReadAsItIs() throws Exception {
        Path file = directory.resolve("keys.jceks");
        char[] password = "none".toCharArray();
        KeyStore jceks = KeyStore.getInstance("JCEKS");
        jceks.load(null, password);
        byte[] bytes = new byte[32];
        jceks.setKeyEntry("small@0", new SecretKeySpec(bytes, "AES/CTR/NoPadding"), password, null);
        try (OutputStream out = Files.newOutputStream(file)) {
            jceks.store(out, password);
        }
        URI location = URI.create("jceks://file" + file);
        DataKey made = Keystores.open(location, Optional.empty()).create("small");
        // The file of lines has equal keys.
        Keystore lines = open(file("small@0 " + "00".repeat(32)));
        assertThat(lines.unwrap(made.wrapped()).getEncoded())
                .isEqualTo(made.secret().getEncoded());

        jceks.setKeyEntry("short@0", new SecretKeySpec(new byte[16], "AES"), password, null);
        try (OutputStream out = Files.newOutputStream(file)) {
            jceks.store(out, password);
        }
        assertThatThrownBy(() -> Keystores.open(location, Optional.empty()))
                .hasMessageContaining("short@0 is no key of 256 bits");
        Path wrong = Files.writeString(directory.resolve("password"), "wrong\n");
        assertThatThrownBy(() -> Keystores.open(location, Optional.of(wrong))).isInstanceOf(IOException.class);
    }

    @Test
    void otherLocationsSayWhatTheyNeed() {
        assertThatThrownBy(() -> Keystores.open(URI.create("kms://https@host:9600/kms"), Optional.empty()))
                .isInstanceOf(KeyUnavailableException.class)
                .hasMessageContaining("packing-hadoop");
        assertThatThrownBy(() -> Keystores.location("/etc/packing/keys"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("file:///etc/packing/keys");
    }
}
