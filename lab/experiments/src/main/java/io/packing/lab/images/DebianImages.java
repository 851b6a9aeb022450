// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Eight images of Debian packages, without a container engine: a layer is what some packages install. Four stand on one base
 * and four on a smaller one, as images of different teams do; the layers of applications bring the libraries that they need.
 */
public final class DebianImages {
    private static final String PACKAGES = "packages";

    private static final List<String> SLIM = List.of(
            "libc6",
            "libc-bin",
            "bash",
            "coreutils",
            "dash",
            "dpkg",
            "grep",
            "sed",
            "tar",
            "gzip",
            "libtinfo6",
            "libselinux1",
            "libpcre2-8-0",
            "libacl1",
            "libattr1",
            "libgmp10",
            "libstdc++6",
            "libgcc-s1",
            "zlib1g",
            "base-files",
            "debianutils");
    private static final List<String> MORE = List.of(
            "perl-base",
            "util-linux",
            "mount",
            "login",
            "passwd",
            "findutils",
            "diffutils",
            "hostname",
            "libpam-modules",
            "libpam0g",
            "libsystemd0",
            "libssl3",
            "openssl",
            "ca-certificates",
            "apt",
            "gpgv",
            "libgcrypt20",
            "libgnutls30");
    private static final Map<String, List<String>> APPLICATIONS = applications();

    private DebianImages() {}

    private static Map<String, List<String>> applications() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put(
                "python",
                List.of("python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib", "libssl3", "libexpat1"));
        all.put("perl", List.of("perl", "perl-modules-5.36", "libperl5.36", "libdb5.3", "libgdbm6"));
        all.put(
                "git",
                List.of("git", "git-man", "libcurl3-gnutls", "libexpat1", "perl", "perl-modules-5.36", "libperl5.36"));
        all.put(
                "redis",
                List.of("redis-server", "redis-tools", "libssl3", "libjemalloc2", "liblua5.1-0", "libsystemd0"));
        all.put("memcached", List.of("memcached", "libevent-2.1-7", "libssl3", "libsasl2-2", "libsasl2-modules-db"));
        all.put("nginx", List.of("nginx", "nginx-common", "libssl3", "openssl", "libpcre2-8-0", "ca-certificates"));
        all.put(
                "curl",
                List.of("curl", "libcurl4", "libssl3", "ca-certificates", "openssl", "libssh2-1", "libldap-2.5-0"));
        all.put("ruby", List.of("ruby3.1", "libruby3.1", "ruby-rubygems", "libssl3", "libyaml-0-2", "libgdbm6"));
        return all;
    }

    /** Says what is missing on this machine, if anything is. */
    public static void check() {
        HostPrograms.check("apt-get", "it needs a Debian or Ubuntu machine");
        HostPrograms.check("dpkg-deb", "apt-get install dpkg");
        HostPrograms.check("tar", "apt-get install tar");
    }

    /** The names of all images. */
    static Set<String> names() {
        return APPLICATIONS.keySet();
    }

    /** Builds all images below a directory. */
    public static ImageSet build(Path directory, Consumer<String> narrator) throws IOException, InterruptedException {
        return build(directory, names(), List.of(), narrator);
    }

    /**
     * Builds some of the images, each as it is among all.
     *
     * @param basic packages that both bases have besides
     */
    static ImageSet build(Path directory, Set<String> chosen, List<String> basic, Consumer<String> narrator)
            throws IOException, InterruptedException {
        List<String> few = new ArrayList<>(SLIM);
        few.addAll(basic);
        List<String> more = new ArrayList<>(few);
        more.addAll(MORE);
        Map<String, Long> contents = new HashMap<>();
        Map<String, ImageSet.Blob> bases = new HashMap<>();
        List<ImageSet.Image> images = new ArrayList<>();
        download(directory, chosen, few, more, narrator);
        int index = 0;
        for (Map.Entry<String, List<String>> each : APPLICATIONS.entrySet()) {
            String base = index++ % 2 == 0 ? "full" : "slim";
            if (chosen.contains(each.getKey())) {
                narrator.accept("building image " + each.getKey());
                if (!bases.containsKey(base)) {
                    bases.put(base, layer(directory, base, base.equals("full") ? more : few, contents));
                }
                ImageSet.Blob own = layer(directory, each.getKey(), each.getValue(), contents);
                ImageSet.Blob lower = Objects.requireNonNull(bases.get(base));
                images.add(ImageSet.image(directory, each.getKey(), List.of(lower, own)));
            }
        }
        return new ImageSet(
                images, contents.values().stream().mapToLong(Long::longValue).sum());
    }

    /** Brings all packages, with one call: each reads the lists of what there is. */
    private static void download(
            Path directory, Set<String> chosen, List<String> few, List<String> more, Consumer<String> narrator)
            throws IOException, InterruptedException {
        Path downloads = Files.createDirectories(directory.resolve(PACKAGES));
        Set<String> wanted = new LinkedHashSet<>();
        int index = 0;
        for (Map.Entry<String, List<String>> each : APPLICATIONS.entrySet()) {
            boolean full = index++ % 2 == 0;
            if (chosen.contains(each.getKey())) {
                wanted.addAll(full ? more : few);
                wanted.addAll(each.getValue());
            }
        }
        List<String> command = new ArrayList<>(List.of("apt-get", "download"));
        for (String name : wanted) {
            if (find(downloads, name).isEmpty()) {
                command.add(name);
            }
        }
        if (command.size() > 2) {
            narrator.accept("downloading %d packages".formatted(command.size() - 2));
            HostPrograms.run(downloads, command);
        }
    }

    /** @param contents of files by their digest, with their bytes */
    private static ImageSet.Blob layer(Path directory, String name, List<String> packages, Map<String, Long> contents)
            throws IOException, InterruptedException {
        Path downloads = directory.resolve(PACKAGES);
        Path root = Files.createDirectories(directory.resolve(name));
        for (String each : packages) {
            HostPrograms.run(
                    root, List.of("dpkg-deb", "-x", downloaded(downloads, each).toString(), "."));
        }
        Files.deleteIfExists(root.resolve("program.log"));
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                contents.put(ImageSet.blob(file).digest(), Files.size(file));
            }
        }
        return ImageSet.tar(directory, name, root);
    }

    private static Path downloaded(Path downloads, String name) throws IOException {
        List<Path> found = find(downloads, name);
        if (found.size() != 1) {
            throw new IOException("there are %d files of package %s in %s".formatted(found.size(), name, downloads));
        }
        return found.get(0);
    }

    private static List<Path> find(Path downloads, String name) throws IOException {
        try (Stream<Path> files = Files.list(downloads)) {
            return files.filter(file -> file.getFileName().toString().startsWith(name + "_"))
                    .toList();
        }
    }
}
