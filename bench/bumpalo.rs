//! The loops of rows.h for bumpalo, since its allocation is inlined into Rust code. Strings get no
//! NUL here: Rust has none.
#![allow(clippy::missing_safety_doc)]

use bumpalo::Bump;
use std::alloc::Layout;

#[repr(C)]
pub struct Work {
    source: *const u8,
    lens: *const u32,
    count: usize,
    out: *mut *const u8,
    refs: *mut u8,
}

#[no_mangle]
pub extern "C" fn bumpalo_open() -> *mut Bump {
    Box::into_raw(Box::new(Bump::with_capacity(65536)))
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_close(bump: *mut Bump) {
    drop(Box::from_raw(bump));
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_held(bump: *mut Bump) -> usize {
    bump.as_ref().map_or(0, |b| b.allocated_bytes())
}

unsafe fn bytes<'a>(p: *const u8, n: usize) -> &'a [u8] {
    std::slice::from_raw_parts(p, n)
}

macro_rules! constant {
    ($name:ident, $n:expr) => {
        #[no_mangle]
        pub unsafe extern "C" fn $name(bump: *mut Bump, w: *const Work) -> u64 {
            let (b, w) = (&mut *bump, &*w);
            b.reset();
            for i in 0..w.count {
                let s = bytes(w.source.add((i & 63) * 64), $n);
                *w.out.add(i) = b.alloc_slice_copy(s).as_ptr();
            }
            0
        }
    };
}
constant!(bumpalo_const8, 8);
constant!(bumpalo_const16, 16);
constant!(bumpalo_const64, 64);

#[no_mangle]
pub unsafe extern "C" fn bumpalo_random(bump: *mut Bump, w: *const Work) -> u64 {
    let (b, w) = (&mut *bump, &*w);
    b.reset();
    for i in 0..w.count {
        let s = bytes(w.source.add((i & 63) * 64), *w.lens.add(i) as usize);
        *w.out.add(i) = b.alloc_slice_copy(s).as_ptr();
    }
    0
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_lumpy(bump: *mut Bump, w: *const Work) -> u64 {
    let (b, w) = (&mut *bump, &*w);
    b.reset();
    for i in 0..w.count {
        let s = bytes(w.source, *w.lens.add(i) as usize);
        *w.out.add(i) = b.alloc_slice_copy(s).as_ptr();
    }
    0
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_stream16(bump: *mut Bump, w: *const Work) -> u64 {
    let (b, w) = (&mut *bump, &*w);
    let mut sum = 0u64;
    b.reset();
    for i in 0..w.count {
        let s = bytes(w.source.add((i & 63) * 64), 16);
        sum = sum.wrapping_add(b.alloc_slice_copy(s).as_ptr() as u64);
    }
    sum
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_tokens(bump: *mut Bump, w: *const Work) -> u64 {
    let (b, w) = (&mut *bump, &*w);
    let mut s = w.source;
    b.reset();
    for i in 0..w.count {
        let n = *w.lens.add(i) as usize;
        *w.out.add(i) = b.alloc_slice_copy(bytes(s, n)).as_ptr();
        s = s.add(n + 1);
    }
    0
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_strings(bump: *mut Bump, w: *const Work) -> u64 {
    let (b, w) = (&mut *bump, &*w);
    let mut s = w.source;
    b.reset();
    for i in 0..w.count {
        let text = std::ffi::CStr::from_ptr(s as *const _);
        *w.out.add(i) = b.alloc_slice_copy(text.to_bytes_with_nul()).as_ptr();
        s = s.add(*w.lens.add(i) as usize + 1);
    }
    0
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_lines(bump: *mut Bump, w: *const Work) -> u64 {
    let (b, w) = (&mut *bump, &*w);
    let mut s = w.source;
    let mut sum = 0u64;
    for i in 0..w.count {
        let n = *w.lens.add(i) as usize;
        *w.out.add(i) = b.alloc_slice_copy(bytes(s, n)).as_ptr();
        s = s.add(n);
    }
    for i in 0..w.count {
        let p = *w.out.add(i);
        sum += *p as u64 + *p.add(*w.lens.add(i) as usize - 1) as u64;
    }
    b.reset();
    sum
}

macro_rules! typed {
    ($name:ident, $table:ident, $n:expr, $mask:expr) => {
        #[no_mangle]
        pub unsafe extern "C" fn $name(bump: *mut Bump, w: *const Work) -> u64 {
            let (b, w) = (&mut *bump, &*w);
            extern "C" {
                static $table: [[u64; $n]; $mask + 1];
            }
            b.reset();
            for i in 0..w.count {
                *w.out.add(i) = b.alloc($table[i & $mask]).as_ptr() as *const u8;
            }
            0
        }
    };
}
typed!(bumpalo_typed8, bench_table8, 1, 63);
typed!(bumpalo_typed24, bench_table24, 3, 63);
typed!(bumpalo_typed32, bench_table32, 4, 63);
typed!(bumpalo_typed256, bench_table256, 32, 15);

#[no_mangle]
pub unsafe extern "C" fn bumpalo_zero32(bump: *mut Bump, w: *const Work) -> u64 {
    let (b, w) = (&mut *bump, &*w);
    b.reset();
    for i in 0..w.count {
        *w.out.add(i) = b.alloc([0u64; 4]).as_ptr() as *const u8;
    }
    0
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_object24(bump: *mut Bump, w: *const Work) -> u64 {
    let (b, w) = (&mut *bump, &*w);
    b.reset();
    for i in 0..w.count {
        let p = b.alloc_layout(Layout::new::<[u64; 3]>()).as_ptr() as *mut u64;
        *p = i as u64;
        *p.add(1) = i as u64 + 1;
        *p.add(2) = i as u64 + 2;
        *w.out.add(i) = p as *const u8;
    }
    0
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_reserve24(bump: *mut Bump, w: *const Work) -> u64 {
    bumpalo_object24(bump, w)
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_slice1(bump: *mut Bump, w: *const Work) -> u64 {
    let (b, w) = (&mut *bump, &*w);
    b.reset();
    let mut v = bumpalo::collections::Vec::new_in(&*b);
    for i in 0..w.count {
        v.push(i as i32);
    }
    v[w.count / 2] as u64
}

#[no_mangle]
pub unsafe extern "C" fn bumpalo_slice1000(bump: *mut Bump, w: *const Work) -> u64 {
    let (b, w) = (&mut *bump, &*w);
    let each = w.count / 1000;
    b.reset();
    let arena = &*b;
    let mut all: Vec<_> = (0..1000).map(|_| bumpalo::collections::Vec::new_in(arena)).collect();
    for k in 0..each {
        for v in all.iter_mut() {
            v.push(k as i32);
        }
    }
    all.iter().map(|v| v[each / 2] as u64).sum()
}
