// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.tar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TarWriterTest {
    private static final byte[] NONE = {};

    private final Random random = Seed.random();

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns all that an entry has, as text. */
    private static String line(
            char type,
            byte[] name,
            byte[] link,
            long mode,
            long user,
            long group,
            Instant modified,
            long major,
            long minor,
            Map<String, byte[]> attributes,
            byte[] content) {
        Map<String, String> values = new TreeMap<>();
        attributes.forEach((key, value) -> values.put(key, hex(value)));
        return "%s %s %s %o %d:%d %s %d:%d %s %s"
                .formatted(type, hex(name), hex(link), mode, user, group, modified, major, minor, values, hex(content));
    }

    private static List<String> read(byte[] tar) throws IOException {
        List<String> lines = new ArrayList<>();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        TarReader.read(new ByteArrayInputStream(tar), new TarReader.Parts() {
            @Override
            public void head(byte[] bytes, int offset, int length) {
                all.write(bytes, offset, length);
            }

            @Override
            public void entry(TarEntry entry, InputStream bytes) throws IOException {
                byte[] content = bytes.readAllBytes();
                all.writeBytes(content);
                lines.add(line(
                        entry.type(),
                        entry.name(),
                        entry.link(),
                        entry.mode(),
                        entry.user(),
                        entry.group(),
                        entry.modified(),
                        entry.major(),
                        entry.minor(),
                        entry.attributes(),
                        content));
            }

            @Override
            public void global(Iterable<String> keys) {
                throw new AssertionError("no record is about all entries");
            }
        });
        assertThat(all.toByteArray()).as("heads and contents in order").isEqualTo(tar);
        return lines;
    }

    private byte[] name() {
        byte[] name = new byte[random.nextInt(1, 300)];
        for (int i = 0; i < name.length; i++) {
            name[i] = (byte) (random.nextInt(9) == 0 ? random.nextInt(1, 256) : 'a' + random.nextInt(26));
        }
        return name;
    }

    @Test
    void theReaderFindsWhatIsWritten() throws IOException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        TarWriter writer = new TarWriter(tar);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            char type = "0123456".charAt(random.nextInt(7));
            byte[] content = new byte[type == '0' ? random.nextInt(2_000) : 0];
            random.nextBytes(content);
            byte[] value = new byte[random.nextInt(1, 40)];
            random.nextBytes(value);
            Map<String, byte[]> attributes = random.nextInt(4) == 0 ? Map.of("user.x" + i, value) : Map.of();
            Instant modified = Instant.ofEpochSecond(
                    random.nextLong(-1L << 34, 1L << 34), random.nextBoolean() ? 0 : random.nextInt(1_000_000_000));
            TarFields fields = new TarFields(
                    type,
                    name(),
                    type == '1' || type == '2' ? name() : NONE,
                    random.nextInt(1 << 12),
                    random.nextLong(1L << 32),
                    random.nextLong(1L << random.nextInt(1, 33)),
                    modified,
                    content.length,
                    random.nextInt(1 << 12),
                    random.nextInt(1 << 20),
                    attributes);
            lines.add(line(
                    type,
                    fields.name(),
                    fields.link(),
                    fields.mode(),
                    fields.user(),
                    fields.group(),
                    modified,
                    fields.major(),
                    fields.minor(),
                    attributes,
                    content));
            writer.begin(fields);
            writer.write(content);
        }
        writer.finish();
        assertThat(tar.size() % TarReader.BLOCK).isZero();
        assertThat(read(tar.toByteArray())).isEqualTo(lines);
    }

    @Test
    void timesBeforeTheEpochAreExact() throws IOException {
        for (String time :
                List.of("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:58.000000001Z", "1901-01-01T00:00:00Z")) {
            ByteArrayOutputStream tar = new ByteArrayOutputStream();
            TarWriter writer = new TarWriter(tar);
            byte[] name = "x".getBytes(StandardCharsets.US_ASCII);
            writer.begin(new TarFields('0', name, NONE, 0, 0, 0, Instant.parse(time), 0, 0, 0, Map.of()));
            writer.finish();
            assertThat(read(tar.toByteArray()).get(0)).contains(" " + Instant.parse(time) + " ");
        }
    }

    @Test
    void anEntryHasAsManyBytesAsItSays() throws IOException {
        TarWriter writer = new TarWriter(new ByteArrayOutputStream());
        byte[] name = "x".getBytes(StandardCharsets.US_ASCII);
        writer.begin(new TarFields('0', name, NONE, 0, 0, 0, Instant.EPOCH, 3, 0, 0, Map.of()));
        assertThatThrownBy(() -> writer.write(new byte[4])).hasMessageContaining("gets 1 more");
        writer.write(new byte[2]);
        assertThatThrownBy(writer::finish).hasMessageContaining("lacks 1");
        assertThatThrownBy(() -> TarFields.plain('0', NONE)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void randomBytesEndTheReaderWithAReasonAlways() {
        for (int i = 0; i < 2_000; i++) {
            byte[] tar = changed();
            try {
                List<String> unused = read(tar);
            } catch (NotATarException e) {
                assertThat(e).hasMessageMatching("(?s).{5,}");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Returns a tar in which some bytes of headers and records are others, with checksums that are right. */
    private byte[] changed() {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            TarWriter writer = new TarWriter(out);
            writer.begin(new TarFields(
                    '0',
                    name(),
                    name(),
                    0644,
                    1L << 31,
                    0,
                    Instant.ofEpochSecond(-5, 7),
                    0,
                    0,
                    0,
                    Map.of("a", name())));
            writer.begin(TarFields.plain('5', name()));
            writer.finish();
            byte[] tar = out.toByteArray();
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                tar[random.nextInt(tar.length)] = (byte) random.nextInt(256);
            }
            for (int at = 0; at < tar.length; at += TarReader.BLOCK) {
                if (tar[at + 257] == 'u') {
                    sum(tar, at);
                }
            }
            return tar;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void sum(byte[] tar, int at) {
        int sum = 0;
        for (int i = 0; i < TarReader.BLOCK; i++) {
            sum += i >= 148 && i < 156 ? ' ' : tar[at + i] & 0xff;
        }
        byte[] digits = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(digits, 0, tar, at + 148, digits.length);
    }
}
