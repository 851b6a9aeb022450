// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.layers.OddTar;
import io.packing.layers.OddTar.Header;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A layer of some entries drawn at random: all types, short and long names in all forms, large numbers, times, attributes, links with
 * sizes, sparse files, whiteouts. Few names are in use, so that entries replace each other, and now and then one is odd.
 */
final class RandomLayer {
    private static final List<String> DIRECTORIES = List.of("", "a/", "a/b/", "c/", "./", "a//", "/", "etc/d/");
    private static final List<String> NAMES =
            List.of("f", "g", "h", "a", "b", "l", "ümläut", "x y", "a\\b", "\u0001t", "\ufffd");
    private static final List<String> TAME = List.of("f", "g", "h", "l", "ümläut", "x y", "a\\b", "\u0001t", "\ufffd");
    /** One entry in so many is odd. */
    private static final int ODD = 80;

    private final Random random;
    private final OddTar tar = new OddTar();
    private final List<byte[]> files = new ArrayList<>();
    private final boolean isTame;

    private final boolean isForUmoci;

    private RandomLayer(Random random, boolean isTame, boolean isForUmoci) {
        this.random = random;
        this.isForUmoci = isForUmoci;
        this.isTame = isTame;
    }

    /**
     * Draws a layer; random numbers of one seed give one layer.
     *
     * @param isTame whether it has nothing that anybody may refuse, and can lie over another one: no name of a directory is another
     *     entry's. Over a link, umoci would go on in its target, and an overlay has a directory.
     * @param isForUmoci whether entries that umoci does not know are as it knows them: it refuses files of the type that POSIX has
     *     for contiguous ones, and global headers also where they have nothing but a comment. GNU tar and podman read the first as
     *     ordinary files, and all skip comments.
     */
    static byte[] draw(Random random, boolean isTame, boolean isForUmoci) {
        RandomLayer layer = new RandomLayer(random, isTame, isForUmoci);
        int entries = random.nextInt(1, 14);
        for (int i = 0; i < entries; i++) {
            layer.entry();
        }
        return random.nextInt(8) == 0 ? layer.tar.bytes() : layer.tar.end();
    }

    private boolean isOdd() {
        return !isTame && random.nextInt(ODD) == 0;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] name() {
        String directory = one(DIRECTORIES);
        if (isOdd()) {
            return switch (random.nextInt(7)) {
                case 0 -> new byte[] {'o', (byte) (0xc0 + random.nextInt(64)), 'x'};
                case 1 -> utf8("../up");
                case 2 -> utf8("a/../f");
                case 3 -> utf8("n".repeat(256));
                case 4 -> utf8(".snapshot/x");
                case 5 -> utf8("f/below");
                default -> utf8("");
            };
        }
        String name = random.nextInt(12) == 0 ? "n".repeat(random.nextInt(80, 250)) : one(isTame ? TAME : NAMES);
        if (random.nextInt(14) == 0) {
            name = random.nextInt(3) == 0 ? ".wh..wh..opq" : ".wh." + name.substring(0, Math.min(name.length(), 200));
        }
        return utf8(directory + name + (random.nextInt(16) == 0 ? "/" : ""));
    }

    private long id() {
        return switch (random.nextInt(8)) {
            case 0 -> 0xffff_fffeL - random.nextInt(3);
            case 1 -> (1L << 31) + random.nextInt(100);
            case 2 -> random.nextInt(1 << 21, 1 << 30);
            case 3 -> isOdd() ? 0xffff_ffffL + random.nextInt(3) : 7;
            default -> random.nextInt(2_000);
        };
    }

    private long seconds() {
        return switch (random.nextInt(6)) {
            case 0 -> -random.nextInt(Integer.MAX_VALUE);
            case 1 -> 8_000_000_000L + random.nextInt(1 << 20);
            case 2 -> 0;
            default -> random.nextInt(1_700_000_000);
        };
    }

    private void entry() {
        byte[] name = name();
        if (!isTame && random.nextInt(60) == 0) {
            sparse(name);
            return;
        }
        char type = one(List.of('0', '0', '0', '0', '\0', '5', '5', '2', '2', '1', '1', '3', '4', '6'));
        if (type == '1' && files.isEmpty() && !isOdd()) {
            type = '0';
        }
        if (isOdd()) {
            type = one(List.of('7', 'V', 'M', 'Z', 'g', 'X'));
        }
        byte[] content = type == '0' || type == '\0' || type == '7'
                ? bytes(one(List.of(0, 1, 511, 512, 700, 3_000)))
                : new byte[0];
        boolean isOldDirectory = type == '\0' && name.length > 0 && name[name.length - 1] == '/';
        if (isOldDirectory) {
            content = new byte[0];
        }
        Map<String, byte[]> records = new LinkedHashMap<>();
        char known = type == '7' && isForUmoci ? '0' : type;
        Header header = header(announced(name, records, 'L', "path"), known, records);
        if (type == '1' || type == '2') {
            header.link(announced(target(type), records, 'K', "linkpath"));
        }
        if (type == '3' || type == '4') {
            header.device(random.nextInt(isOdd() ? 5_000 : 4_000), random.nextInt(1 << 18));
        }
        attributes(type, records);
        if (type == '0' && random.nextInt(10) == 0) {
            records.put("size", utf8(String.valueOf(content.length)));
            header.size(random.nextInt(2_000));
        } else {
            header.size(content.length);
        }
        boolean hasNoBytes = (type >= '1' && type <= '6') || isOldDirectory;
        if (hasNoBytes && random.nextInt(4) == 0) {
            header.size(random.nextInt(5_000));
        }
        if (type == 'g' && isForUmoci && records.isEmpty()) {
            return;
        }
        if (!records.isEmpty()) {
            tar.pax('x', records);
        }
        tar.header(header).padded(content);
        if (type == '0' && !new String(name, StandardCharsets.UTF_8).contains(".wh.")) {
            files.add(name);
        }
    }

    private Header header(byte[] name, char type, Map<String, byte[]> records) {
        Header header = new Header(name, type)
                .mode(mode(type))
                .magic(records.isEmpty() && random.nextInt(4) == 0 ? OddTar.GNU : OddTar.USTAR);
        if (random.nextInt(5) == 0) {
            header.base256();
        }
        if (random.nextInt(6) == 0) {
            records.put("uid", utf8(String.valueOf(id())));
            records.put("gid", utf8(String.valueOf(id())));
        } else {
            header.owner(id(), id());
        }
        if (random.nextInt(4) == 0) {
            records.put("mtime", utf8(seconds() + "." + random.nextInt(1_000_000_000)));
        } else {
            header.modified(seconds());
        }
        return header;
    }

    /**
     * Draws a mode. Some programs write types of files into the modes; umoci would make other devices of these, which
     * Linux refuses.
     */
    private long mode(char type) {
        boolean hasType = random.nextInt(6) == 0 && type != '3' && type != '4' && type != '6';
        int bits = random.nextInt(1 << 12) | (hasType ? 0100_000 : 0);
        // The disk of umoci hands the group of such a directory down to those that no entry describes; no layer says
        // so.
        return type == '5' || type == '\0' ? bits & ~02000 : bits;
    }

    /**
     * Returns a name for the field of a header; one that is long, or now and then another one, is in a form before it.
     */
    private byte[] announced(byte[] name, Map<String, byte[]> records, char gnu, String pax) {
        if (name.length == 0 || (name.length <= 100 && random.nextInt(6) > 0)) {
            return name;
        }
        if (random.nextBoolean()) {
            tar.gnuName(gnu, name);
        } else {
            records.put(pax, name);
        }
        return Arrays.copyOf(name, Math.min(name.length, 100));
    }

    private byte[] target(char type) {
        if (type == '1' && !files.isEmpty() && !isOdd()) {
            return one(files);
        }
        return switch (random.nextInt(isOdd() ? 5 : 3)) {
            case 0 -> new byte[] {'t', (byte) 0xe9, 't'};
            case 1 -> utf8("/etc/../" + one(NAMES));
            case 2 -> utf8("t".repeat(random.nextInt(1, 300)));
            case 3 -> new byte[0];
            default -> utf8("a");
        };
    }

    private void attributes(char type, Map<String, byte[]> records) {
        if (random.nextInt(6) > 0) {
            return;
        }
        // Linux has attributes of users for files and directories alone.
        boolean isPlain = type == '0' || type == '5';
        records.put("SCHILY.xattr." + (isPlain ? "user.é" : "trusted.x"), bytes(random.nextInt(1, 40)));
        if (type == '0' && random.nextBoolean()) {
            byte[] capability = new byte[20];
            capability[0] = 1;
            capability[3] = 2;
            capability[4] = (byte) random.nextInt(256);
            records.put("SCHILY.xattr.security.capability", capability);
        }
    }

    /** Adds two pieces of data with holes around them, in one of the four forms. */
    private void sparse(byte[] name) {
        byte[] data = bytes(1_024);
        int real = 10_000;
        byte[] at = Arrays.copyOf(name, Math.min(name.length, 100));
        Header header = new Header(at, '0');
        Map<String, byte[]> records = new LinkedHashMap<>();
        if (name.length > 100) {
            records.put("path", name);
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                byte[] block = new Header(at, 'S').size(1_024).magic(OddTar.GNU).fields();
                octal(block, 386, 512);
                octal(block, 398, 512);
                octal(block, 410, 4_096);
                octal(block, 422, 512);
                octal(block, 483, real);
                tar.block(block).padded(data);
                return;
            }
            case 1 -> {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                for (String[] each : new String[][] {
                    {"size", String.valueOf(real)},
                    {"numblocks", "2"},
                    {"offset", "512"},
                    {"numbytes", "512"},
                    {"offset", "4096"},
                    {"numbytes", "512"}
                }) {
                    all.writeBytes(OddTar.record("GNU.sparse." + each[0], utf8(each[1])));
                }
                if (name.length > 100) {
                    all.writeBytes(OddTar.record("path", name));
                }
                tar.file(new Header("pax", 'x'), all.toByteArray()).file(header, data);
                return;
            }
            case 2 -> {
                records.put("GNU.sparse.size", utf8(String.valueOf(real)));
                records.put("GNU.sparse.numblocks", utf8("2"));
                records.put("GNU.sparse.map", utf8("512,512,4096,512"));
            }
            default -> {
                records.put("GNU.sparse.major", utf8("1"));
                records.put("GNU.sparse.minor", utf8("0"));
                records.put("GNU.sparse.name", name);
                records.put("GNU.sparse.realsize", utf8(String.valueOf(real)));
                byte[] map = Arrays.copyOf(utf8("2\n512\n512\n4096\n512\n"), OddTar.BLOCK + data.length);
                System.arraycopy(data, 0, map, OddTar.BLOCK, data.length);
                data = map;
            }
        }
        tar.pax('x', records).file(header, data);
    }

    private static void octal(byte[] block, int at, long value) {
        byte[] digits = utf8("%011o".formatted(value));
        System.arraycopy(digits, 0, block, at, digits.length);
    }
}
