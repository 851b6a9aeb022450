// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.encryption.DataKey;
import io.packing.encryption.KeyUnavailableException;
import io.packing.encryption.Keystore;
import io.packing.encryption.Keystores;
import io.packing.encryption.WrappedKey;
import io.packing.seed.Seed;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's providers: those that give keys away are read without Hadoop, the others through it. */
class HadoopKeystoreTest {
    @TempDir
    private Path directory;

    private static KeyProvider provider(String location) throws Exception {
        return KeyProviderFactory.get(URI.create(location), new Configuration());
    }

    private static KeyProvider.Options bits(int bits) {
        return KeyProvider.options(new Configuration()).setBitLength(bits);
    }

    @Test
    void whatHadoopWritesIntoAFileIsReadWithoutHadoop() throws Exception {
        String location = "jceks://file" + directory.resolve("keys.jceks");
        KeyProvider hadoop = provider(location);
        byte[] first = hadoop.createKey("small", bits(256)).getMaterial();
        hadoop.flush();
        assertThat(first).hasSize(32);
        Keystore keystore = Keystores.open(URI.create(location), Optional.empty());
        DataKey before = keystore.create("small");
        assertThat(before.wrapped().version()).isEqualTo("small@0");
        assertThat(before.wrapped().wrapping()).isEqualTo(WrappedKey.BY_PACKING);
        assertThat(hadoop.rollNewVersion("small").getVersionName()).isEqualTo("small@1");
        hadoop.flush();
        assertThat(keystore.create("small").wrapped().version()).isEqualTo("small@1");
        assertThat(Keystores.open(URI.create(location), Optional.empty())
                        .unwrap(before.wrapped())
                        .getEncoded())
                .isEqualTo(before.secret().getEncoded());
    }

    /** The provider in a user's credentials, through the API by which a KMS is reached. */
    @Test
    void aProviderThatIsNoFileWrapsAndUnwrapsByItself() throws Exception {
        KeyProvider hadoop = provider("user:///");
        KeyProvider.KeyVersion unused = hadoop.createKey("ofuser", bits(256));
        hadoop.createKey("short", bits(128));
        hadoop.flush();
        Keystore keystore = Keystores.open(URI.create("user:///"), Optional.empty());
        DataKey made = keystore.create("ofuser");
        assertThat(unused.getVersionName()).isEqualTo("ofuser@0");
        assertThat(made.wrapped().version()).isEqualTo("ofuser@0");
        assertThat(made.wrapped().wrapping()).isEqualTo(WrappedKey.BY_HADOOP);
        Keystore again = Keystores.open(URI.create("user:///"), Optional.empty());
        assertThat(again.unwrap(made.wrapped()).getEncoded())
                .isEqualTo(made.secret().getEncoded());

        hadoop.rollNewVersion("ofuser");
        hadoop.flush();
        Keystore later = Keystores.open(URI.create("user:///"), Optional.empty());
        assertThat(later.create("ofuser").wrapped().version()).isEqualTo("ofuser@1");
        assertThat(later.unwrap(made.wrapped()).getEncoded())
                .isEqualTo(made.secret().getEncoded());

        assertThatThrownBy(() -> later.create("missing"))
                .isInstanceOf(KeyUnavailableException.class)
                .hasMessageContaining("hadoop key create missing -size 256");
        assertThatThrownBy(() -> later.create("short"))
                .isInstanceOf(KeyUnavailableException.class)
                .hasMessageContaining("128 bits");
        WrappedKey gone = new WrappedKey(
                WrappedKey.BY_HADOOP, "ofuser", "ofuser@9", made.wrapped().bytes());
        assertThatThrownBy(() -> later.unwrap(gone))
                .isInstanceOf(KeyUnavailableException.class)
                .hasMessageContaining("ofuser@9");
        WrappedKey cut =
                new WrappedKey(WrappedKey.BY_HADOOP, "ofuser", "ofuser@0", ByteBuffer.wrap(new byte[] {(byte) 200, 1}));
        assertThatThrownBy(() -> later.unwrap(cut)).isInstanceOf(KeyUnavailableException.class);
        WrappedKey ofFile = new WrappedKey(
                WrappedKey.BY_PACKING, "small", "small@0", made.wrapped().bytes());
        assertThatThrownBy(() -> later.unwrap(ofFile)).hasMessageContaining("file of keys");
    }

    /** Over HTTP, as with a KMS whose clients may generate and decrypt and nothing else. */
    @Test
    void aKmsIsAskedOnceForEachDataKeyAndNeverGivesItsKeyAway() throws Exception {
        try (FakeKms kms = new FakeKms("small", Seed.random())) {
            Keystore keystore = Keystores.open(kms.location(), Optional.empty());
            DataKey made = keystore.create("small");
            assertThat(made.wrapped().version()).isEqualTo("small@0");
            Keystore reader = Keystores.open(kms.location(), Optional.empty());
            int before = kms.decrypted();
            for (int blob = 0; blob < 100; blob++) {
                assertThat(reader.unwrap(made.wrapped()).getEncoded())
                        .isEqualTo(made.secret().getEncoded());
            }
            assertThat(kms.decrypted() - before).isEqualTo(1);

            kms.roll();
            Keystore later = Keystores.open(kms.location(), Optional.empty());
            DataKey newer = later.create("small");
            assertThat(newer.wrapped().version()).isEqualTo("small@1");
            assertThat(later.unwrap(made.wrapped()).getEncoded())
                    .isEqualTo(made.secret().getEncoded());
            kms.forget("small@0");
            Keystore without = Keystores.open(kms.location(), Optional.empty());
            assertThatThrownBy(() -> without.unwrap(made.wrapped()))
                    .isInstanceOf(KeyUnavailableException.class)
                    .hasMessageContaining("small@0");
            assertThatThrownBy(() -> without.create("missing"))
                    .isInstanceOf(KeyUnavailableException.class)
                    .hasMessageContaining("hadoop key create missing");
            assertThat(later.unwrap(newer.wrapped()).getEncoded())
                    .isEqualTo(newer.secret().getEncoded());
        }
    }
}
