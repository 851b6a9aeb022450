// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import static org.assertj.core.api.Assertions.assertThat;

import alluxio.underfs.UfsFileStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class CreatedFileTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "hdfs", "a:b", "größe", "user@REALM.ORG/host"})
    void whateverTheOwnerIsCalledItIsReadBack(String owner) {
        CreatedFile file = new CreatedFile("17-42", owner, "hadoop", 0644);
        assertThat(CreatedFile.parse(file.encode())).contains(file);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "17-42", "packing1:x", "packing1:h:!:g:644", "packing1:h:bw:bw:9", "other:h:bw:bw:644"})
    void anotherStringIsNone(String string) {
        assertThat(CreatedFile.parse(string)).isEmpty();
    }

    @Test
    void theStatusCarriesTheHashAsItIs() {
        UfsFileStatus status = new CreatedFile("17-42", "o", "g", 0600).status("/f");
        assertThat(status.getContentHash()).isEqualTo("17-42");
        assertThat(status.getMode()).isEqualTo((short) 0600);
    }
}
