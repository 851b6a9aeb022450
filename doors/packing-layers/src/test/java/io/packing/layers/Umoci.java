// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.registry.oci.Digest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The reference unpacker of OCI images, as root of this machine. */
public final class Umoci {
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    /** Prints a path and a line as {@link TreeLook} has it for each entry, with NULs between them. */
    private static final String LOOK = """
            import hashlib, os, stat, sys
            root = os.fsencode(sys.argv[1])
            paths = [b'']
            for at, dirs, files in os.walk(root):
                for name in dirs + files:
                    paths.append(os.path.relpath(os.path.join(at, name), root))
            seen = {}
            order = lambda path: path.decode('utf-8', 'surrogateescape').split('/')
            for path in sorted(paths, key=order):
                at = os.path.join(root, path) if path else root
                s = os.lstat(at)
                kind = stat.S_IFMT(s.st_mode)
                letter = {stat.S_IFDIR: 'd', stat.S_IFLNK: 'l', stat.S_IFCHR: 'c', stat.S_IFBLK: 'b', stat.S_IFIFO: 'p'}.get(kind, 'f')
                body = ''
                if letter == 'l':
                    body = os.readlink(at).hex()
                elif letter in 'cb':
                    body = '%d:%d' % (os.major(s.st_rdev), os.minor(s.st_rdev))
                elif letter == 'f':
                    data = open(at, 'rb').read()
                    body = '%s of %d' % (hashlib.sha256(data).hexdigest()[:16], len(data))
                names = sorted(os.listxattr(at, follow_symlinks=False))
                attributes = ' '.join('%s=%s' % (n, os.getxattr(at, n, follow_symlinks=False).hex()) for n in names)
                first = seen.setdefault(s.st_ino, path) if letter != 'd' else path
                link = '' if first == path else ' is ' + first.decode('utf-8', 'surrogateescape')
                line = '%s %o %d:%d at %d.%09d %s[%s]%s' % (letter, stat.S_IMODE(s.st_mode), s.st_uid, s.st_gid,
                    s.st_mtime_ns // 10**9, s.st_mtime_ns % 10**9, body, attributes, link)
                sys.stdout.buffer.write(path + b'\\0' + os.fsencode(line) + b'\\0')
            """;

    private final Path home;
    private final String program;
    private int count;

    private Umoci(Path home, String program) {
        this.home = home;
        this.program = program;
    }

    /** Finds umoci, if it is there and can do its work. */
    public static Optional<Umoci> find(Path home) {
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        return isRoot && onPath("python3").isPresent()
                ? program().map(program -> new Umoci(home, program.toString()))
                : Optional.empty();
    }

    /** Finds umoci; without it the test is skipped, and names the package to install. */
    public static Umoci orSkip(Path home) {
        assumeTrue(
                program().isPresent(),
                "no umoci: run 'bin/test-servers DIR', which builds it by Go 1.24 or newer, and give -Dpacking.servers=DIR/bin");
        assumeTrue(
                find(home).isPresent(),
                "umoci makes devices and owners as root only, and python3 lists what it made: run as root, with python3");
        return find(home).orElseThrow();
    }

    private static Optional<Path> onPath(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Optional<Path> program() {
        String servers = System.getProperty("packing.servers", "");
        Path there = Path.of(servers, "umoci");
        return !servers.isEmpty() && Files.isExecutable(there) ? Optional.of(there) : onPath("umoci");
    }

    /** Unpacks layers by umoci, and looks at the result; {@link IOException} when umoci refuses them. */
    public Map<String, String> unpack(List<byte[]> layers) throws IOException, InterruptedException {
        Path image = Files.createDirectories(home.resolve("umoci").resolve(String.valueOf(count++)));
        Path root = image.resolve("root");
        try {
            write(image, layers);
            Commands.run(home, program, "--log=warn", "raw", "unpack", "--image", image + ":v1", root.toString());
            return look(root);
        } finally {
            remove(image);
        }
    }

    private void remove(Path directory) throws IOException, InterruptedException {
        String unused = Commands.run(home, "rm", "-rf", directory.toString());
    }

    private Map<String, String> look(Path root) throws IOException, InterruptedException {
        String said = Commands.run(home, "python3", "-c", LOOK, root.toString());
        String[] parts = said.split("\0", -1);
        Map<String, String> all = new TreeMap<>();
        for (int i = 0; i + 1 < parts.length; i += 2) {
            all.put(parts[i], parts[i + 1]);
        }
        return all;
    }

    private static byte[] inflated(byte[] layer) throws IOException {
        if (layer.length < 2 || layer[0] != 0x1f) {
            return layer;
        }
        try (InputStream tar = new GZIPInputStream(new ByteArrayInputStream(layer))) {
            return tar.readAllBytes();
        }
    }

    private static void write(Path image, List<byte[]> layers) throws IOException {
        Files.createDirectories(image.resolve("blobs/sha256"));
        List<String> descriptors = new ArrayList<>();
        List<String> diffs = new ArrayList<>();
        for (byte[] layer : layers) {
            boolean gzip = layer.length > 2 && layer[0] == 0x1f;
            descriptors.add(blob(image, "application/vnd.oci.image.layer.v1.tar" + (gzip ? "+gzip" : ""), layer));
            diffs.add('"' + LayerRig.digest(inflated(layer)).toString() + '"');
        }
        String config = blob(
                image,
                "application/vnd.oci.image.config.v1+json",
                "{\"architecture\":\"amd64\",\"os\":\"linux\",\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[%s]}}"
                        .formatted(String.join(",", diffs))
                        .getBytes(StandardCharsets.UTF_8));
        String manifest = blob(
                image,
                MANIFEST,
                "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[%s]}"
                        .formatted(MANIFEST, config, String.join(",", descriptors))
                        .getBytes(StandardCharsets.UTF_8));
        String named = manifest.substring(0, manifest.length() - 1)
                + ",\"annotations\":{\"org.opencontainers.image.ref.name\":\"v1\"}}";
        Files.writeString(image.resolve("index.json"), "{\"schemaVersion\":2,\"manifests\":[%s]}".formatted(named));
        Files.writeString(image.resolve("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
    }

    private static String blob(Path image, String mediaType, byte[] bytes) throws IOException {
        Digest digest = LayerRig.digest(bytes);
        Files.write(image.resolve("blobs/sha256").resolve(digest.hex()), bytes);
        return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}".formatted(mediaType, digest, bytes.length);
    }
}
