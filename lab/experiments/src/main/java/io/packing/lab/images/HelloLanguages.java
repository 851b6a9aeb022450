// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static io.packing.lab.images.HelloImage.BUILDPACK;
import static io.packing.lab.images.HelloImage.COMPILERS;
import static io.packing.lab.images.HelloImage.CURL;
import static io.packing.lab.images.HelloImage.SCM;
import static io.packing.lab.images.HelloImage.layers;

import java.util.List;
import java.util.Map;

/** Images of languages: a start compiles or interprets a small program, and ends when it has printed its result. */
final class HelloLanguages {
    private static final String HELLO = "hello of 42";
    private static final String LANGUAGE = "language";
    private static final String JAVA = "/usr/lib/jvm/java-17-openjdk-amd64";

    private HelloLanguages() {}

    private static HelloImage of(
            String name, List<List<String>> base, List<List<String>> own, Map<String, String> file, String script) {
        return HelloImage.program(LANGUAGE, name, base, own, List.of(file), script, HELLO);
    }

    static List<HelloImage> all() {
        return List.of(
                of(
                        "python",
                        BUILDPACK,
                        layers(
                                "libexpat1 libreadline8 media-types",
                                "python3",
                                "python3-pkg-resources python3-setuptools"),
                        Map.of("src/hello.py", "import json, ssl, sqlite3\nprint('hello of', json.loads('[42]')[0])\n"),
                        "python3 /src/hello.py"),
                of(
                        "perl",
                        CURL,
                        layers("perl-base", "libgdbm6 libdb5.3", "perl"),
                        Map.of(
                                "src/hello.pl",
                                "use strict; use List::Util qw(sum);\nprint 'hello of ', sum(40, 2), \"\\n\";\n"),
                        "perl /src/hello.pl"),
                of(
                        "ruby",
                        BUILDPACK,
                        layers("libyaml-0-2 libgmp10", "ruby3.1", "ruby-rubygems rake bundler"),
                        Map.of("src/hello.rb", "require 'json'\nputs \"hello of #{JSON.parse('[42]')[0]}\"\n"),
                        "ruby3.1 /src/hello.rb"),
                of(
                        "php",
                        CURL,
                        layers("libxml2 libargon2-1 libsodium23", "php8.2-common", "php8.2-cli"),
                        Map.of("src/hello.php", "<?php echo 'hello of ', json_decode('[42]')[0], \"\\n\";\n"),
                        "php8.2 /src/hello.php"),
                of(
                        "gcc",
                        BUILDPACK,
                        layers("gfortran", "libgmp-dev libmpfr-dev libmpc-dev", "gdb"),
                        Map.of(
                                "src/hello.c",
                                "#include <stdio.h>\nint main(void) { printf(\"hello of %d\\n\", 42); return 0; }\n"),
                        "gcc -O2 -o /tmp/hello /src/hello.c && /tmp/hello"),
                of(
                        "golang",
                        COMPILERS,
                        layers("pkg-config", "golang-src", "golang-go"),
                        Map.of(
                                "src/hello.go",
                                "package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"hello of\", 42) }\n"),
                        "GOCACHE=/tmp/cache GO111MODULE=off CGO_ENABLED=0 go run /src/hello.go"),
                of(
                        "java",
                        SCM,
                        layers("bzip2 unzip xz-utils", "openjdk-17-jre-headless", "openjdk-17-jdk-headless"),
                        Map.of(
                                "src/Hello.java",
                                "class Hello { public static void main(String[] a) { System.out.println(\"hello of \" + 42); } }\n"),
                        JAVA + "/bin/java /src/Hello.java"),
                of(
                        "mono",
                        CURL,
                        layers("libmono-corlib4.5-cil mono-runtime", "mono-mcs"),
                        Map.of(
                                "src/hello.cs",
                                "class Hello { static void Main() { System.Console.WriteLine(\"hello of \" + 42); } }\n"),
                        "mcs -out:/tmp/hello.exe /src/hello.cs && mono /tmp/hello.exe"),
                of(
                        "pypy",
                        SCM,
                        layers("libexpat1 libffi8 libtinfo6", "pypy3-lib", "pypy3"),
                        Map.of("src/hello.py", "import json\nprint('hello of', json.loads('[42]')[0])\n"),
                        "pypy3 /src/hello.py"),
                of(
                        "r-base",
                        CURL,
                        layers("libblas3 liblapack3 libgfortran5", "unzip zip", "r-base-core"),
                        Map.of("src/hello.R", "cat('hello of', sum(c(40, 2)), '\\n')\n"),
                        "LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/blas:/usr/lib/x86_64-linux-gnu/lapack Rscript /src/hello.R"),
                of(
                        "clojure",
                        SCM,
                        layers("openjdk-17-jre-headless", "clojure"),
                        Map.of("src/hello.clj", "(println \"hello of\" (+ 40 2))\n"),
                        JAVA + "/bin/java -cp '/usr/share/java/*' clojure.main /src/hello.clj"),
                of(
                        "rust",
                        COMPILERS,
                        layers("libllvm14", "libstd-rust-dev", "rustc"),
                        Map.of("src/hello.rs", "fn main() { println!(\"hello of {}\", 42); }\n"),
                        "rustc -C linker=gcc -o /tmp/hello /src/hello.rs && /tmp/hello"),
                of(
                        "erlang",
                        SCM,
                        layers("libtinfo6 libsctp1", "erlang-base", "erlang-crypto erlang-inets erlang-ssl"),
                        Map.of(
                                "src/hello.erl",
                                "-module(hello).\n-export([go/0]).\ngo() -> io:format(\"hello of ~p~n\", [42]).\n"),
                        "cd /tmp && erlc /src/hello.erl && erl -noshell -eval 'hello:go(), halt().'"),
                of(
                        "ocaml",
                        COMPILERS,
                        layers("ocaml-base", "ocaml"),
                        Map.of("src/hello.ml", "let () = Printf.printf \"hello of %d\\n\" 42\n"),
                        "ocaml /src/hello.ml"),
                of(
                        "lua",
                        CURL,
                        layers("libreadline8", "lua5.4"),
                        Map.of("src/hello.lua", "print('hello of ' .. 42)\n"),
                        "lua5.4 /src/hello.lua"),
                of(
                        "rakudo",
                        CURL,
                        layers("libuv1 libtommath1", "moarvm", "rakudo"),
                        Map.of("src/hello.raku", "say 'hello of ', 42;\n"),
                        "rakudo /src/hello.raku"),
                of(
                        "sbcl",
                        CURL,
                        layers("libzstd1", "sbcl"),
                        Map.of("src/hello.lisp", "(format t \"hello of ~a~%\" (+ 40 2))\n"),
                        "sbcl --script /src/hello.lisp"),
                of(
                        "tcl",
                        CURL,
                        layers("libtcl8.6", "tcl8.6"),
                        Map.of("src/hello.tcl", "puts \"hello of [expr {40 + 2}]\"\n"),
                        "tclsh8.6 /src/hello.tcl"),
                HelloImage.program(
                        "distribution",
                        "debian",
                        List.of(),
                        layers("apt debian-archive-keyring", "tzdata less"),
                        List.of(Map.of("etc/motd", "a distribution\n")),
                        "echo " + HELLO,
                        HELLO),
                HelloImage.program(
                        "other",
                        "hello",
                        CURL,
                        layers("hello"),
                        List.of(Map.of("etc/motd", "a greeting\n")),
                        "hello",
                        "Hello, world!"));
    }
}
