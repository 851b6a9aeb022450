// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the second implementation of the format, with the key. */
class EncryptedPythonReaderTest {
    private static final Map<String, String> KEYS =
            Map.of("PACKING_KEYS", EncryptedGoldens.keys().toString());

    @TempDir
    private Path directory;

    @BeforeAll
    static void thePackageIsThere() {
        boolean there;
        try {
            there = PythonReaderTest.run(Map.of(), "-c", "import cryptography").exitCode() == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, "python3 with the package cryptography is not installed: pip install cryptography");
    }

    private String golden(String name) throws IOException {
        return Files.write(directory.resolve(name.replace('/', '-') + ".blob"), EncryptedGoldens.bytes(name))
                .toString();
    }

    private static String script() {
        return PythonReaderTest.SCRIPTS.resolve("blob_reader.py").toString();
    }

    private static PythonReaderTest.Run read(String... arguments) throws IOException {
        String[] all = new String[arguments.length + 1];
        all[0] = script();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return PythonReaderTest.run(KEYS, all);
    }

    @Test
    void anEncryptedBlobIsListedVerifiedAndRead() throws IOException {
        String blob = golden("v3/encrypted");
        PythonReaderTest.Run list = read("list", blob);
        assertThat(list.errors()).isEmpty();
        assertThat(list.output())
                .contains("0644 alice:staff 13 1700000000001 1@8 /hello.txt")
                .hasLineCount(4);
        assertThat(read("verify", blob).errors()).isEmpty();
        assertThat(read("cat", blob, "/hello.txt").output()).isEqualTo("hello, world\n");
        assertThat(read("cat", blob, "/deflated").output()).isEqualTo(GoldenBlobs.PACKING);
        assertThat(read("cat", blob, "/large").output()).isEqualTo("second slice");
        assertThat(read("cat", golden("v3/dictionary"), "/plain").output()).isEqualTo("plain");
        assertThat(read("verify", golden("v3/empty")).errors()).isEmpty();
    }

    @Test
    void aDictionaryIsDecryptedAndExtentsAreDecompressed() throws IOException {
        assumeTrue(
                PythonReaderTest.run(Map.of(), "-c", "import zstandard").exitCode() == 0,
                "the Python package zstandard is not installed: pip install zstandard");
        String blob = golden("v3/dictionary");
        assertThat(read("verify", blob).errors()).isEmpty();
        assertThat(read("cat", blob, "/trained").output()).isEqualTo(GoldenBlobs.JSON);
        assertThat(read("cat", blob, "/frame").output()).isEqualTo(GoldenBlobs.PACKING);
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        String blob = golden("v3/encrypted");
        PythonReaderTest.Run without = PythonReaderTest.run(Map.of(), script(), "list", blob);
        assertThat(without.exitCode()).isEqualTo(1);
        assertThat(without.errors()).contains("encrypted with golden@1: set PACKING_KEYS");
        Path wrong = Files.writeString(directory.resolve("wrong"), "golden@1 " + "00".repeat(32) + "\n");
        PythonReaderTest.Run other =
                PythonReaderTest.run(Map.of("PACKING_KEYS", wrong.toString()), script(), "list", blob);
        assertThat(other.errors()).contains("another key is known as golden@1");
        String program = """
                import sys
                sys.path.insert(0, sys.argv[1])
                sys.modules['cryptography'] = None
                sys.modules['cryptography.exceptions'] = None
                import blob_reader
                try:
                    blob_reader.main(*sys.argv[2:])
                except ValueError as e:
                    sys.exit(str(e))
                """;
        PythonReaderTest.Run bare =
                PythonReaderTest.run(KEYS, "-c", program, PythonReaderTest.SCRIPTS.toString(), "list", blob);
        assertThat(bare.errors()).contains("this blob is encrypted: pip install cryptography");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3/empty", "v3/encrypted"})
    void everyFlippedBitAndTruncationIsDetected(String name) throws IOException {
        PythonReaderTest.damageIsDetected(KEYS, golden(name), 3);
    }
}
