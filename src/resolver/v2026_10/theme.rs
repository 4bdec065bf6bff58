//! The fields of `Theme` (specification, section 2.6).

use std::borrow::Cow;

use crate::base::{GlobalId, HttpUrl, Kind};
use crate::generated::v2026_10::{self, Image, Video};
use crate::model::Theme;
use crate::resolver::Context;

impl v2026_10::Theme for Theme {
    fn id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::Theme, self.id)
    }

    fn legacy_resource_id<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        self.number.to_string().into()
    }

    fn title<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::from(&self.title)
    }

    fn handle<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::from(&self.handle)
    }

    fn description<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::from(&self.description)
    }

    fn images<'a>(&'a self, cx: &'a Context) -> Vec<Image<'a>> {
        let image = |image: &'a crate::model::ThemeImage| Image {
            url: Cow::Owned(cx.services.theme_image_address(&image.key)),
            alt_text: image.alt_text.as_deref().map(Cow::from),
        };
        self.images.iter().map(image).collect()
    }

    fn videos<'a>(&'a self, _: &'a Context) -> Vec<Video<'a>> {
        self.videos.iter().map(|url| Video { url: Cow::Borrowed(url) }).collect()
    }

    fn demo_url<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, HttpUrl>> {
        self.demo_url.as_ref().map(Cow::Borrowed)
    }
}
