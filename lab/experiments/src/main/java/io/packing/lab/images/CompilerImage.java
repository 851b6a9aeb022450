// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** An image of one compiler of the distribution: above the base the tools that builds need, above these the compiler. */
record CompilerImage(String compiler, boolean isClang) {
    private static final Pattern NAME = Pattern.compile("(gcc|clang)-[1-9][0-9]?");
    private static final List<String> TOOLS = List.of("binutils", "libc6-dev", "make");

    /** Returns the image for a name such as gcc-12 or clang-14. */
    static CompilerImage of(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no compiler: give gcc or clang with a major version, such as gcc-12".formatted(name));
        }
        return new CompilerImage(name, name.startsWith("clang"));
    }

    private String forCpp() {
        return isClang ? compiler.replace("clang", "clang++") : compiler.replace("gcc", "g++");
    }

    AptImages.Recipe recipe() {
        // The C++ compiler of clang is in the same package.
        List<String> own = isClang ? List.of(compiler) : List.of(compiler, forCpp());
        return new AptImages.Recipe(compiler, List.of(TOOLS, own), Map.of());
    }

    /** Returns the variables that name the compiler to make and most tools of builds. */
    Map<String, String> variables() {
        return Map.of("CC", compiler, "CXX", forCpp());
    }
}
