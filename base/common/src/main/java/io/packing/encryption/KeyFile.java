// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The reader of a file of keys: lines {@code NAME@VERSION HEX}, 64 digits; comments behind {@code #}. */
final class KeyFile {
    private KeyFile() {}

    static Map<String, byte[]> read(Path path) throws IOException {
        Map<String, byte[]> keys = new LinkedHashMap<>();
        List<String> lines = Files.readAllLines(path, StandardCharsets.UTF_8);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (line.isEmpty()) {
                continue;
            }
            String[] words = line.split("\\s+", -1);
            if (words.length != 2 || !WrappedKey.isName(words[0]) || !words[1].matches("[0-9a-fA-F]{64}")) {
                // The message never has the line, which may have a key.
                throw new KeyUnavailableException(
                        "%s: line %d is no key; write NAME@VERSION and 64 hexadecimal digits, as from openssl rand -hex 32"
                                .formatted(path, i + 1));
            }
            if (keys.put(words[0], bytes(words[1])) != null) {
                throw new KeyUnavailableException(
                        "%s: line %d has %s once more; a new key is a new version".formatted(path, i + 1, words[0]));
            }
        }
        return keys;
    }

    private static byte[] bytes(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }
}
