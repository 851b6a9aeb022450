// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.util.List;
import java.util.Map;

/** The program in a container of each of {@link DebianImages}: it says hello, and touches the files of a usual start (HelloBench, Slacker §4.1). */
final class HelloProgram {
    /** Packages that these programs need, beside what {@code experiment images} stores: libraries of redis, curl, perl, nginx and ruby. */
    static final List<String> LIBRARIES = List.of(
            "libcrypt1",
            "libatomic1",
            "liblzf1",
            "liblzma5",
            "liblz4-1",
            "libzstd1",
            "libcap2",
            "libgcrypt20",
            "libgpg-error0",
            "libbrotli1",
            "libnghttp2-14",
            "libidn2-0",
            "libunistring2",
            "libpsl5",
            "librtmp1",
            "libgssapi-krb5-2",
            "libkrb5-3",
            "libk5crypto3",
            "libkrb5support0",
            "libcom-err2",
            "libkeyutils1",
            "libsasl2-2",
            "libgnutls30",
            "libp11-kit0",
            "libtasn1-6",
            "libnettle8",
            "libhogweed6",
            "libffi8");

    private static final Map<String, List<String>> COMMANDS = Map.of(
            "python", List.of("/usr/bin/python3.11", "-c", "import json; print(json.dumps('hello'))"),
            // The one of perl-base is not in the slim images.
            "perl",
                    List.of(
                            "/usr/bin/perl5.36-x86_64-linux-gnu",
                            "-e",
                            "use strict; use List::Util; print qq(hello\\n)"),
            "git", List.of("/usr/bin/git", "--version"),
            "redis", List.of("/usr/bin/redis-cli", "--version"),
            "memcached", List.of("/usr/bin/memcached", "-V"),
            "nginx", List.of("/usr/sbin/nginx", "-v"),
            "curl", List.of("/usr/bin/curl", "--version"),
            "ruby", List.of("/usr/bin/ruby3.1", "-e", "puts 'hello'"));

    private HelloProgram() {}

    /** The command of an image, with paths in it. */
    static List<String> of(ImageSet.Image image) {
        List<String> command = COMMANDS.get(image.name());
        if (command == null) {
            throw new IllegalArgumentException("no program says hello in the image " + image.name());
        }
        return command;
    }
}
