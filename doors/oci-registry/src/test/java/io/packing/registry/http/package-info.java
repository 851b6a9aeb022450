@NullMarked
package io.packing.registry.http;

import org.jspecify.annotations.NullMarked;
