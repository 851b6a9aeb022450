// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An image of one compiler of the distribution: above the base the tools that builds need, above these the compiler.
 *
 * @param packages of the compiler
 * @param cc the command that compiles C
 * @param cxx the command that compiles C++; a compiler of C alone has its own here
 */
record CompilerImage(String compiler, List<String> packages, String cc, String cxx) {
    private static final List<String> TOOLS = List.of("binutils", "libc6-dev", "make");
    private static final Pattern GCC = Pattern.compile("gcc-([1-9][0-9]?)");
    private static final Pattern CLANG = Pattern.compile("clang-([1-9][0-9]?)");
    /** GCC that compiles for 32 bits, whose programs run here if they bring their libraries. */
    private static final Pattern GCC_32 = Pattern.compile("gcc-([1-9][0-9]?)-i686-linux-gnu");

    /** GCC with a second set of libraries for 32 bits. */
    private static final Pattern MULTILIB = Pattern.compile("gcc-([1-9][0-9]?)-multilib");

    /** Small compilers, and other C libraries with a compiler around them. */
    private static final Map<String, CompilerImage> OTHERS = Map.of(
            "tcc", ofC("tcc", List.of("tcc"), "tcc"),
            "pcc", ofC("pcc", List.of("pcc"), "pcc"),
            "musl-gcc", ofC("musl-gcc", List.of("musl-tools", "gcc"), "musl-gcc"),
            "diet", ofC("diet", List.of("dietlibc-dev", "gcc"), "/usr/lib/x86_64-linux-gnu/diet/bin/diet gcc"),
            "klcc", ofC("klcc", List.of("libklibc-dev", "klibc-utils", "gcc"), "klcc"));

    CompilerImage {
        packages = List.copyOf(packages);
    }

    private static CompilerImage ofC(String name, List<String> packages, String cc) {
        return new CompilerImage(name, packages, cc, cc);
    }

    /** Returns the image for a name such as gcc-12 or clang-14. */
    static CompilerImage of(String name) {
        Matcher gcc = GCC.matcher(name);
        if (gcc.matches()) {
            String forCpp = "g++-" + gcc.group(1);
            return new CompilerImage(name, List.of(name, forCpp), name, forCpp);
        }
        Matcher clang = CLANG.matcher(name);
        if (clang.matches()) {
            // The C++ compiler of clang is in the same package.
            return new CompilerImage(name, List.of(name), name, "clang++-" + clang.group(1));
        }
        Matcher small = GCC_32.matcher(name);
        if (small.matches()) {
            String command = "i686-linux-gnu-gcc-%s -static".formatted(small.group(1));
            return ofC(name, List.of(name, "libc6-dev-i386-cross"), command);
        }
        Matcher multilib = MULTILIB.matcher(name);
        if (multilib.matches()) {
            return ofC(name, List.of(name), "gcc-%s -m32 -static".formatted(multilib.group(1)));
        }
        CompilerImage other = OTHERS.get(name);
        if (other == null) {
            throw new IllegalArgumentException(
                    "'%s' is no compiler: give gcc or clang with a major version, such as".formatted(name)
                            + " gcc-12, gcc-12-multilib or gcc-12-i686-linux-gnu, or one of "
                            + String.join(", ", new TreeSet<>(OTHERS.keySet())));
        }
        return other;
    }

    AptImages.Recipe recipe() {
        return new AptImages.Recipe(compiler, List.of(TOOLS, packages), Map.of());
    }

    /** Returns the variables that name the compiler to make and most tools of builds. */
    Map<String, String> variables() {
        return Map.of("CC", cc, "CXX", cxx);
    }
}
