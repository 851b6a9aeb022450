// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.FilePath;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyPathsTest {
    private static final FilePath BUCKET = new FilePath("/bucket");
    private final KeyPaths paths = new KeyPaths(FilePath.ROOT);

    private String path(String key) throws S3Exception {
        return paths.path(BUCKET, key).value();
    }

    @Test
    void ordinaryKeysAreThePathsThatHadoopsUsersExpect() throws S3Exception {
        assertThat(path("a/b c/d.txt")).isEqualTo("/bucket/a/b c/d.txt");
        assertThat(path(".hidden/_x/\u20ac%2E")).isEqualTo("/bucket/.hidden/_x/\u20ac%2E");
    }

    @Test
    void partsThatNoFileCanHaveAreEscaped() throws S3Exception {
        assertThat(path("a/")).isEqualTo("/bucket/a/.%");
        assertThat(path("/a")).isEqualTo("/bucket/.%/a");
        assertThat(path("a//b")).isEqualTo("/bucket/a/.%/b");
        assertThat(path("a/../b")).isEqualTo("/bucket/a/.%2E%2E/b");
        assertThat(path("./.snapshot/s")).isEqualTo("/bucket/.%2E/.%2Esnapshot/s");
    }

    @Test
    void everyPartHasANameOfItsOwn() {
        List<String> parts =
                List.of("", ".", "..", ".snapshot", ".%", ".%2E", ".%=", ".%.%25", ".%.%25x", "a", ".a", "%");
        assertThat(parts.stream().map(KeyPaths::encode)).doesNotHaveDuplicates().doesNotContain(KeyPaths.SELF);
        for (String part : parts) {
            assertThat(KeyPaths.decode(KeyPaths.encode(part))).as(part).hasValue(part);
        }
        assertThat(KeyPaths.decode(KeyPaths.SELF)).isEmpty();
        assertThat(KeyPaths.decode(".%unknown")).isEmpty();
    }

    @Test
    void keysWithoutAPathAreRefusedByName() {
        refuses("a".repeat(1_025), S3Code.KEY_TOO_LONG);
        refuses("a".repeat(256), S3Code.KEY_TOO_LONG);
        refuses("/".repeat(1_024), S3Code.KEY_TOO_LONG);
        refuses("a\0b", S3Code.INVALID_ARGUMENT);
        refuses("", S3Code.INVALID_ARGUMENT);
    }

    private void refuses(String key, S3Code code) {
        assertThatThrownBy(() -> path(key))
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void namesOfBucketsAreThoseOfS3() {
        for (String name : List.of("abc", "a-b.c", "a".repeat(63), "1bucket")) {
            assertThat(KeyPaths.isBucketName(name)).as(name).isTrue();
        }
        for (String name :
                List.of("ab", "a".repeat(64), "Abc", "a_b", ".ab", "ab.", "a..b", "1.2.3.4", "a/b", "..", "")) {
            assertThat(KeyPaths.isBucketName(name)).as(name).isFalse();
        }
    }
}
